import type { Random } from '../random.ts'
import { DAY, FOLDERS, isRecent } from './demo-mail.ts'
import type { DemoMail } from './demo-mail.ts'
import { OWNER } from './people.ts'

const REPOSITORY = 'lindqvist-roth/cutlist'
const HOST = 'codehost.example'
const ACCOUNTS = ['jroth', 'mzolk', 'build-bot', 'leila-w']

const ISSUES: readonly { title: string; comments: readonly string[] }[] = [
  {
    title: 'Kerf is subtracted twice for nested sheets',
    comments: [
      'With a 3.2 mm blade the last strip of a sheet comes out 3.2 mm short. Steps:\n\n```\ncutlist plan kitchen.csv --kerf 3.2\n```',
      'I can reproduce it. `fitStrips` and `layout` both take it off.',
      'Fixed in #61, could you try the branch?',
      'Works here, the strip is 96.0 now. Thanks!',
    ],
  },
  {
    title: 'Import: accept decimal commas',
    comments: [
      'Half of our suppliers export CSV with `1.250,5`. We read that as one and a bit.',
      'Guessing per column is dangerous. How about a `--decimal` option?',
      'Fine by me, with a clear error when a column mixes both.',
      'Merged into main.',
    ],
  },
  {
    title: 'Show grain direction in the printed plan',
    comments: [
      'An arrow per piece would do. Right now we draw them by hand.',
      'First version pushed: a thin arrow in the middle, leaves out pieces under 8 cm.',
      'Looks good on paper. Ship it.',
    ],
  },
  {
    title: 'Build failed: main',
    comments: [
      'Run #418 failed after 1 m 12 s.\n\n  test (node 24)   failed\n  lint             passed',
      'Run #419 passed after 1 m 08 s.',
    ],
  },
  {
    title: 'Docs: the example uses a board that does not exist',
    comments: [
      'The README plans a 2,800 × 2,070 sheet, but the sample stock has 2,500 × 1,250 only.',
      'Good catch, do you want to send a change?',
      'Sent: #70.',
    ],
  },
  {
    title: 'Crash on an empty stock list',
    comments: [
      'TypeError: Cannot read properties of undefined (reading "length")\n    at nextSheet (plan.ts:48)\n    at plan (plan.ts:21)',
      'It should say "no stock left" and list what is still to be cut.',
    ],
  },
  {
    title: 'Let the user pin a piece to a sheet',
    comments: [
      'For bookmatched doors the two halves have to come from the same sheet. Could a piece carry a `sheet` column?',
      'Yes, but then the solver must treat it as given and not as a wish. I will try.',
      'Draft in #58. Runtime goes from 0.4 s to 0.6 s on the kitchen.',
      'Tried it on the wardrobe, both doors match. Lovely.',
    ],
  },
  {
    title: 'Labels: print the room as well',
    comments: [
      'On site nobody knows what "P-17" is. "P-17, pantry" would save a phone call.',
      'Where does the room come from, the file name?',
      'A column in the CSV, empty by default.',
    ],
  },
  {
    title: 'Offcuts under 60 mm should not go back into stock',
    comments: [
      'The stock list is full of strips that nobody will ever use.',
      'Agreed. Make it an option, `--keep-from 60`?',
      'Default 60, option to change it. Closed by #52.',
    ],
  },
  {
    title: 'Veneer: respect the direction across drawer fronts',
    comments: [
      'Four fronts in a row need the grain to run through all of them.',
      'We have that for doors already; fronts are doors that lie down.',
      'Then it is a one-line change. 😀',
      'It was a nine-line change. Merged.',
    ],
  },
  {
    title: 'Translate the printed plan into Polish',
    comments: [
      'Gotowe! Wszystkie napisy są przetłumaczone, brakuje tylko „kerf”. Jak to u was nazywacie?',
      'Perfect. We say "Sägespalt" in German, maybe "rzaz"?',
      'Tak, „rzaz”. Poprawione.',
    ],
  },
  {
    title: 'Update the solver to 3.1',
    comments: [
      'This updates the solver from 3.0.4 to 3.1.0. Release notes: faster start, fixes a leak in long runs.',
      'All checks passed.',
    ],
  },
  {
    title: 'Total price is wrong when a board is bought by the metre',
    comments: [
      'Edge strips are sold by the metre, we multiply with the number of rolls. The harbour offer was 112 too low before I noticed.',
      'Ouch. Test added that fails, fix follows.',
      'Fixed on main, please update before you send the next offer.',
      'Updated, the sum is right now.',
    ],
  },
  {
    title: 'Question: how do you model a mitre?',
    comments: [
      'I add twice the thickness by hand. Is there a better way?',
      'There is: `joint: mitre` in the piece. It is just not in the docs.',
      'Now it is: #66.',
    ],
  },
  {
    title: 'Release 1.4',
    comments: [
      'Version 1.4 is out: decimal commas, pinned pieces, Polish, labels with rooms. Thanks to everybody who sawed along.',
      'Build of tag v1.4.0 passed, files are uploaded.',
    ],
  },
  {
    title: 'Keyboard shortcut to rotate a piece',
    comments: [
      'R would be the obvious choice.',
      'R reloads in some browsers together with Ctrl only, so plain R is free.',
      'Done. Shift+R rotates all of the same kind.',
    ],
  },
]

/** What a code host writes about a small project: threads by headers, one sender for many people. */
export function notifications(random: Random): readonly DemoMail[] {
  return ISSUES.flatMap(({ title, comments }, index) => {
    const number = 76 - index * 2
    const key = `notice.${number}`
    let hoursAgo = index * 34 * DAY + random.integer(70, 110)
    return comments.map((comment, at): DemoMail => {
      hoursAgo -= at === 0 ? 0 : random.integer(2, 21)
      return {
        key: `${key}.${at}`,
        replyTo: comments.slice(0, at).map((_, earlier) => `${key}.${earlier}`),
        folder: index < 6 ? FOLDERS.inbox : FOLDERS.archive,
        hoursAgo,
        unread: isRecent(hoursAgo),
        content: notice({ title, comment, number, at, account: random.pick(ACCOUNTS) }),
      }
    })
  })
}

function notice(about: {
  title: string
  comment: string
  number: number
  at: number
  account: string
}): DemoMail['content'] {
  const { title, comment, number, at, account } = about
  const url = `https://${HOST}/${REPOSITORY}/issues/${number}#comment-${number * 10 + at}`
  const html = comment.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')
  return {
    from: { name: account, address: `notifications@${HOST}` },
    to: { name: REPOSITORY, address: `cutlist@noreply.${HOST}` },
    cc: OWNER,
    subject: `${at === 0 ? '' : 'Re: '}[${REPOSITORY}] ${title} (#${number})`,
    text: `${comment}\n\n-- \nReply to this email directly or view it on the web:\n${url}\n`,
    html: `<p>${html}</p><p style="font-size:small;color:#666">—<br>Reply to this email directly or <a href="${url}">view it on the web</a>.</p>`,
    headers: {
      'List-Id': `${REPOSITORY} <cutlist.lindqvist-roth.${HOST}>`,
      'List-Unsubscribe': `<https://${HOST}/unsubscribe/${number}>`,
      'X-Reason': at === 0 ? 'subscribed' : 'comment',
    },
  }
}
