import { Command, Option } from 'commander'
import { apiCommand, type ApiCommandOptions } from '../api-command.ts'
import type { CreateOptions } from './create.ts'
import type { DeliveriesOptions } from './deliveries.ts'
import type { ListenOptions } from './listen/listen.ts'
import { eventList, webhookId } from './options.ts'
import type { UpdateOptions } from './update.ts'

const EVENTS = 'the events to send, separated by commas, such as message.received,sync.error'

export const webhooksCommand = () =>
  new Command('webhooks')
    .description('manage webhooks, and listen to events without one')
    .addCommand(listCommand())
    .addCommand(createCommand())
    .addCommand(updateCommand())
    .addCommand(deleteCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(testCommand())
    .addCommand(rotateSecretCommand())
    .addCommand(deliveriesCommand())
    .addCommand(replayCommand())
    .addCommand(listenCommand())

const ofWebhook = (name: string) =>
  apiCommand(name).argument('<id>', 'its id, as svc mail webhooks list shows it', webhookId)

const listCommand = () =>
  apiCommand('list')
    .description('list the webhooks and how their deliveries stand')
    .action(async (options: ApiCommandOptions) => {
      const { listWebhooksCommand } = await import('./list.ts')
      await listWebhooksCommand(options)
    })

const createCommand = () =>
  apiCommand('create')
    .description('create a webhook and print its secret, this once')
    .argument('<receiver>', 'where events are POSTed to, an http or https address')
    .addOption(new Option('--events <list>', EVENTS).argParser(eventList).makeOptionMandatory())
    .option('--paused', 'queue events, but send none before it is resumed')
    .action(async (receiver: string, options: CreateOptions) => {
      const { createWebhookCommand } = await import('./create.ts')
      await createWebhookCommand(receiver, options)
    })

const updateCommand = () =>
  ofWebhook('update')
    .description('change where a webhook sends to, or what; the rest stays')
    .option('--receiver <url>', 'where events are POSTed to')
    .addOption(new Option('--events <list>', EVENTS).argParser(eventList))
    .action(async (id: string, options: UpdateOptions) => {
      const { updateWebhookCommand } = await import('./update.ts')
      await updateWebhookCommand(id, options)
    })

const deleteCommand = () =>
  ofWebhook('delete')
    .description('delete a webhook with its log and what waits')
    .option('--yes', 'do not ask')
    .action(async (id: string, options: ApiCommandOptions & { yes?: true }) => {
      const { deleteWebhookCommand } = await import('./delete.ts')
      await deleteWebhookCommand(id, options)
    })

const pauseCommand = () =>
  ofWebhook('pause')
    .description('let events wait')
    .action(async (id: string, options: ApiCommandOptions) => {
      const { pauseWebhookCommand } = await import('./pause.ts')
      await pauseWebhookCommand(id, options)
    })

const resumeCommand = () =>
  ofWebhook('resume')
    .description('send what waits and what comes, also after it was switched off')
    .action(async (id: string, options: ApiCommandOptions) => {
      const { resumeWebhookCommand } = await import('./resume.ts')
      await resumeWebhookCommand(id, options)
    })

const testCommand = () =>
  ofWebhook('test')
    .description('send a ping now, whatever it subscribes to')
    .action(async (id: string, options: ApiCommandOptions) => {
      const { testWebhookCommand } = await import('./test.ts')
      await testWebhookCommand(id, options)
    })

const rotateSecretCommand = () =>
  ofWebhook('rotate-secret')
    .description('give it another secret and print it, this once')
    .option('--secret-stdin', 'take one of 16 characters or more from standard input')
    .action(async (id: string, options: ApiCommandOptions & { secretStdin?: true }) => {
      const { rotateSecretCommand } = await import('./rotate-secret.ts')
      await rotateSecretCommand(id, options)
    })

const deliveriesCommand = () =>
  ofWebhook('deliveries')
    .description('list what was sent and what waits, the newest first')
    .option('--status <status>', 'only those that are pending, failed, ok or dead')
    .option('--event <event>', 'only those of this event')
    .option('--limit <count>', 'how many at once, up to 100')
    .option('--cursor <cursor>', 'where the list before ended')
    .action(async (id: string, options: DeliveriesOptions) => {
      const { listDeliveriesCommand } = await import('./deliveries.ts')
      await listDeliveriesCommand(id, options)
    })

const replayCommand = () =>
  ofWebhook('replay')
    .description('send a delivery again, with the same body and all attempts left')
    .argument('<delivery>', 'its id, as svc mail webhooks deliveries shows it', webhookId)
    .action(async (id: string, delivery: string, options: ApiCommandOptions) => {
      const { replayDeliveryCommand } = await import('./replay.ts')
      await replayDeliveryCommand(id, delivery, options)
    })

const listenCommand = () =>
  apiCommand('listen')
    .description('tell of events as they happen, forward them, or run a command for each')
    .option('--forward-to <url>', 'POST each event there as a webhook would, signed')
    .option('--events <list>', 'only these, separated by commas; every event unless given')
    .option(
      '--execute <command>',
      'run it by sh -c for each event, one at a time, with the payload on standard input',
    )
    .action(async (options: ListenOptions) => {
      const { listenCommand } = await import('./listen/listen.ts')
      await listenCommand(options)
    })
