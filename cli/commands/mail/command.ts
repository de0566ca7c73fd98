import { Command } from 'commander'
import { webhooksCommand } from './webhooks/command.ts'

export const mailCommand = () =>
  new Command('mail')
    .description('drive a running service over its API')
    .addCommand(webhooksCommand())
