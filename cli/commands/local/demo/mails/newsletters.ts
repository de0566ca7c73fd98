import type { MailContent } from '../mail-transport.ts'
import type { Random } from '../random.ts'
import { png } from './attachments.ts'
import { FOLDERS, isRecent } from './demo-mail.ts'
import type { DemoMail } from './demo-mail.ts'
import { OWNER } from './people.ts'

interface Publication {
  readonly key: string
  readonly name: string
  readonly address: string
  readonly everyDays: number
  readonly color: string
  readonly subjects: readonly string[]
  readonly leads: readonly string[]
}

const PUBLICATIONS: readonly Publication[] = [
  {
    key: 'grain',
    name: 'The Grain',
    address: 'letter@thegrain.example',
    everyDays: 21,
    color: '#7a4a21',
    subjects: [
      'Why ash moves more than you think',
      'Steam bending without a steam box',
      'Five finishes after five years outdoors',
      'A bench that comes apart in three minutes',
      'Sharpening: the angle matters less than you were told',
      'Reading a board before you buy it',
      'The quiet return of hide glue',
      'Elm is back, carefully',
      'How flat is flat enough?',
      'Dust: what the numbers on your mask mean',
      'A chair that seven people sat on',
      'Drawers without runners',
      'Milk paint, twelve months later',
      'What to do with 400 kg of offcuts',
      'The plane you already own',
      'Learning to see wind in a plank',
      'Pricing a table: three makers show their sums',
      'Green wood, patient hands',
      'Ten readers, ten workbenches',
      'Linseed oil catches fire, and how not to',
      'An hour with a saw doctor',
      'Why old glue lines glow',
    ],
    leads: [
      'This fortnight we cut up a hundred-year-old sideboard to find out what holds it together.',
      'A reader from Tampere has measured the same board every morning for a year. His curves surprised us.',
      'We asked eleven makers for the one tool they would save from a fire. Nine named the same.',
      'There is more than one way to hide a screw, and at least one of them is honest.',
    ],
  },
  {
    key: 'plate',
    name: 'Tellerrand – Küche für viele',
    address: 'post@tellerrand.example',
    everyDays: 35,
    color: '#2f6b3a',
    subjects: [
      'Kürbis, Maronen und ein sehr guter Käse',
      'Sauerteig: Geduld statt Zauberei',
      'Zwölf Gerichte aus einem Blech',
      'Schnelle Suppen für müde Abende',
      'Grüne Soße, sieben Kräuter, keine Ausreden',
      'Spargel für alle, die keinen schälen wollen',
      'Ein Topf, acht Gäste',
      'Zwetschgenkuchen wie bei Oma – fast',
      'Brotzeit: was auf ein gutes Brett gehört',
      'Fünf Saucen, die alles retten',
      'Pilze putzen, ohne zu verzweifeln',
      'Linsen sind das neue Hack',
      'Plätzchen, die man auch im März noch mag',
    ],
    leads: [
      'Wer abends um sieben noch nichts im Topf hat, findet hier drei Antworten – jede dauert höchstens zwanzig Minuten.',
      'Diese Woche kochen wir mit dem, was übrig ist: Brot von gestern, Möhren mit Grün, ein Rest Brühe.',
      'Frische Kräuter überleben im Kühlschrank doppelt so lange, wenn man sie wie Blumen behandelt.',
    ],
  },
  {
    key: 'night',
    name: 'Night Sky Weekly',
    address: 'hello@nightskyweekly.example',
    everyDays: 42,
    color: '#1d2f5c',
    subjects: [
      'Saturn’s rings at their thinnest',
      'A comet you can see without a telescope',
      'The Moon hides Mars on Thursday',
      'How dark is your sky?',
      'Noctilucent clouds: when and where',
      'Meteors on Sunday night',
      'A first telescope for a nine-year-old',
      'The star that doubled overnight',
      'Jupiter’s moons, drawn by readers',
      'Eclipse: your two minutes and how to spend them',
    ],
    leads: [
      'Clear nights ahead for most of us, and two good reasons to stay up.',
      'Binoculars are enough this month. Look low in the south-east an hour after sunset.',
      'Our readers counted stars in Orion from 1,300 places. The map is humbling.',
    ],
  },
  {
    key: 'bytes',
    name: 'Small Shop, Good Tools',
    address: 'news@smallshoptools.example',
    everyDays: 60,
    color: '#444444',
    subjects: [
      'Invoices that get paid in a week',
      'Backups for people with no time for backups',
      'What a good booking page looks like',
      'Saying no to a customer, politely',
      'One calendar for two people and a van',
      'Photos of your work that sell it',
      'When to raise your prices',
    ],
    leads: [
      'A small change of wording on an invoice made customers pay four days sooner. We tried it with thirty shops.',
      'If your laptop fell into the glue today, what would you lose? A checklist that takes ten minutes.',
    ],
  },
]

/** Newsletters over the last year, HTML with the headers to unsubscribe (RFC 2369, RFC 8058). */
export function newsletters(random: Random): readonly DemoMail[] {
  return PUBLICATIONS.flatMap((publication) =>
    publication.subjects.map((_, issue): DemoMail => {
      const hoursAgo = issue * publication.everyDays * 24 + random.integer(4, 60)
      return {
        key: `${publication.key}.${issue}`,
        folder: issue < 6 ? FOLDERS.inbox : FOLDERS.archive,
        hoursAgo,
        unread: isRecent(hoursAgo) || random.fraction() < 0.2,
        starred: random.fraction() < 0.05,
        content: issueOf(publication, issue, random),
      }
    }),
  )
}

function issueOf(publication: Publication, issue: number, random: Random): MailContent {
  const { name, address, color, subjects, leads, key } = publication
  const number = subjects.length - issue + 40
  const subject = subjects[issue % subjects.length] ?? name
  const articles = Array.from({ length: 4 }, (_, at) => ({
    title: subjects[(issue + at + 1) % subjects.length] ?? name,
    text: random.pick(leads),
  }))
  const link = `https://${address.split('@')[1]}/issues/${number}`
  const list = articles.map(
    ({ title, text }) =>
      `<tr><td style="padding:12px 24px"><h3 style="color:${color}">${title}</h3><p>${text}</p>` +
      `<a href="${link}">Read on</a></td></tr>`,
  )
  const hasPicture = issue % 3 === 0
  const picture = hasPicture ? '<img src="cid:cover" width="560" alt="">' : ''
  // Every other publication is HTML only, as many are.
  const text = key === 'night' || key === 'bytes' ? {} : { text: `${subject}\n\n${link}\n` }
  return {
    from: { name, address },
    to: OWNER,
    subject: `${subject} (No. ${number})`,
    ...text,
    html:
      `<!doctype html><html><body style="margin:0;background:#f4f1ec"><table width="600" align="center">` +
      `<tr><td style="background:${color};color:#fff;padding:24px"><h1>${name}</h1></td></tr>` +
      `<tr><td style="padding:24px">${picture}<p>${random.pick(leads)}</p></td></tr>${list.join('')}` +
      `<tr><td style="font-size:12px;padding:24px">You get this because you asked for it. ` +
      `<a href="${link}/unsubscribe">Unsubscribe</a><img src="${link}/open.gif" width="1" height="1" alt=""></td></tr>` +
      `</table></body></html>`,
    headers: {
      'List-Id': `${name} <letter.${address.split('@')[1]}>`,
      'List-Unsubscribe': `<mailto:${address}?subject=unsubscribe>, <${link}/unsubscribe>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'bulk',
    },
    attachments: hasPicture
      ? [
          png('cover.png', {
            width: 280,
            height: 120,
            from: [230, 214, 190],
            to: [122, 74, 33],
            cid: 'cover',
          }),
        ]
      : [],
  }
}
