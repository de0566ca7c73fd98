import { invalidRequest } from '../errors.ts'
import { labelName } from './label-name.ts'

/** What is to be changed of a message; what is absent stays as it is. Applied in this order (contract section 3). */
export interface ChangeSet {
  readonly read?: boolean | undefined
  readonly starred?: boolean | undefined
  readonly labelsAdd?: readonly string[] | undefined
  readonly labelsRemove?: readonly string[] | undefined
  readonly folderId?: number | undefined
}

/** How many labels one change may name. */
const LABELS_MAX = 100

/** The change set with its labels checked; throws `invalid_request`. */
export const checkedChangeSet = (change: ChangeSet): ChangeSet => ({
  ...change,
  labelsAdd: checkedLabels(change.labelsAdd),
  labelsRemove: checkedLabels(change.labelsRemove),
})

function checkedLabels(labels: readonly string[] = []): readonly string[] {
  if (labels.length > LABELS_MAX)
    throw invalidRequest(`One change names at most ${LABELS_MAX} labels.`)
  return labels.map(labelName)
}
