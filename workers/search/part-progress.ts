import type { SearchTarget } from '../../domain/search/deep/targets.ts'
import { type BegunPart, type PartProgress, savePart } from '../../domain/search/jobs/part.ts'
import type { Needs } from '../../runtime/ports/runtime.ts'

/** Nobody wants the search any more: newer ones have taken its place, or it has lasted too long. */
export class SearchDropped extends Error {
  override readonly name = 'SearchDropped'
}

/** How far a part has come, saved with every step. All that saves throws `SearchDropped` and `LeaseLost`. */
export interface PartRecord {
  now(): PartProgress
  isDone(target: SearchTarget): boolean
  counted(foldersTotal: number): Promise<void>
  /** What is searched for in the folder is stored here now, but for what the warning says. */
  searched(target: SearchTarget, warning?: string): Promise<void>
  failed(target: SearchTarget, warning: string): Promise<void>
  /** Saved with the next step. */
  warn(warning: string): void
}

export function partRecord(ctx: Needs<'store'>, part: BegunPart): PartRecord {
  let progress = part.progress
  const save = async (change: Partial<PartProgress>) => {
    progress = { ...progress, ...change }
    if (!(await savePart(ctx, part, progress))) throw new SearchDropped()
  }
  const withWarning = (warning: string | undefined) =>
    warning === undefined || progress.warnings.includes(warning)
      ? progress.warnings
      : [...progress.warnings, warning]
  const doneWith = ({ folder }: SearchTarget, warning: string | undefined) => ({
    foldersDone: [...progress.foldersDone, folder.id],
    warnings: withWarning(warning),
  })
  return {
    now: () => progress,
    isDone: ({ folder }) => progress.foldersDone.includes(folder.id),
    counted: (foldersTotal) => save({ foldersTotal }),
    searched: (target, warning) =>
      save({
        ...doneWith(target, warning),
        shownIn: [...progress.shownIn, ...target.shownIn],
      }),
    failed: (target, warning) => save(doneWith(target, warning)),
    warn(warning) {
      progress = { ...progress, warnings: withWarning(warning) }
    },
  }
}
