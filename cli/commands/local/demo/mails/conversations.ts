import type { MailContent } from '../mail-transport.ts'
import { CONVERSATIONS } from './conversation-texts.ts'
import type { Conversation } from './conversation-texts.ts'
import { FOLDERS, isRecent } from './demo-mail.ts'
import type { DemoMail } from './demo-mail.ts'
import { PEOPLE } from './people.ts'
import type { Person } from './people.ts'

/** The threads with people: each reply quotes the message before it, as mail programs do. */
export function conversations(now: Date): readonly DemoMail[] {
  return CONVERSATIONS.flatMap((conversation, index) => threadOf(conversation, `talk${index}`, now))
}

function threadOf(conversation: Conversation, key: string, now: Date): readonly DemoMail[] {
  const { subject, folder, turns } = conversation
  let hoursAgo = conversation.startedDaysAgo * 24
  return turns.map((turn, at) => {
    hoursAgo -= turn.afterHours
    const isOwn = turn.from === 'maya'
    const before = turns[at - 1]
    return {
      key: `${key}.${at}`,
      replyTo: turns.slice(0, at).map((_, earlier) => `${key}.${earlier}`),
      folder: isOwn ? FOLDERS.sent : folder,
      hoursAgo,
      content: {
        from: PEOPLE[turn.from],
        to: recipientsOf(
          turns.map(({ from }) => from),
          turn.from,
        ),
        subject: at === 0 ? subject : `Re: ${subject}`,
        ...bodiesOf(turn.text, before && { who: PEOPLE[before.from].name, text: before.text }),
        ...turn.extra?.(new Date(now.getTime() - hoursAgo * 3_600_000)),
      },
      unread: !isOwn && isRecent(hoursAgo),
      starred: turn.starred ?? false,
      answered: !isOwn && turns[at + 1]?.from === 'maya',
    }
  })
}

/** Everybody else in the conversation; the owner's partner where she writes first and alone. */
function recipientsOf(writers: readonly Person[], from: Person) {
  const others = [...new Set<Person>([...writers, 'maya'])].filter((person) => person !== from)
  return (others.length > 0 ? others : (['jonas'] as const)).map((person) => PEOPLE[person])
}

function bodiesOf(text: string, quoted: { who: string; text: string } | undefined): MailContent {
  if (quoted === undefined) return { text }
  const quote = quoted.text.replaceAll(/^/gm, '> ')
  const html =
    `<div dir="auto">${paragraphs(text)}</div>` +
    `<div class="quote">${escape(quoted.who)} wrote:<blockquote>${paragraphs(quoted.text)}</blockquote></div>`
  return { text: `${text}\n\n${quoted.who} wrote:\n${quote}`, html }
}

const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${escape(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('')

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
