import type { MailContent } from '../mail-transport.ts'
import { seededRandom } from '../random.ts'
import { pdf, png } from './attachments.ts'
import { OWNER, PEOPLE } from './people.ts'

const TIMES = ['8:15', '9:30', '11:00', '14:45', '16:20', '17:05']
const PLACES = ['at the workshop', 'at the harbour house', 'on site', 'at the café', 'by phone']
const PIECES = [
  'the walnut table',
  'the drawer fronts',
  'the ash chairs',
  'the bookcase',
  'the bench',
]

type Arrival = (detail: { time: string; place: string; piece: string; n: number }) => MailContent

const ARRIVALS: readonly Arrival[] = [
  ({ time, place, piece }) => ({
    from: PEOPLE.jonas,
    subject: `${sentence(piece)}: can we look at it together?`,
    text: `Are you free at ${time} ${place}? I would like your eyes on ${piece} before the next coat goes on.\n\nJonas`,
  }),
  ({ n }) => ({
    from: { name: 'Papercut Books', address: 'orders@papercutbooks.example' },
    subject: `Out for delivery: parcel ${70_000 + n}`,
    html: `<p>Your parcel <b>${70_000 + n}</b> comes today between 12:00 and 16:00. 📦</p>`,
  }),
  ({ time, place }) => ({
    from: PEOPLE.elif,
    subject: 'Quick question about tomorrow',
    text: `Hello Maya,\n\ndoes ${time} ${place} still suit you? The electrician would come along.\n\nElif`,
  }),
  ({ n }) => ({
    from: { name: 'build-bot', address: 'notifications@codehost.example' },
    subject: `[lindqvist-roth/cutlist] Run #${500 + n} passed`,
    text: `All 4 checks passed after 1 m ${n % 60} s.\n`,
    headers: { 'List-Id': 'lindqvist-roth/cutlist <cutlist.lindqvist-roth.codehost.example>' },
  }),
  ({ piece }) => ({
    from: PEOPLE.nadia,
    subject: `New pictures: ${piece}`,
    text: 'One more, fresh from the camera. What do you think?\n\nNadia',
    attachments: [
      png('preview.png', { width: 240, height: 160, from: [70, 50, 36], to: [222, 188, 148] }),
    ],
  }),
  ({ time }) => ({
    from: PEOPLE.kenji,
    subject: '船積みの日程について',
    text: `マヤ様\n\n桜材の船積みが決まりました。明日 ${time} に書類をお送りいたします。\n\n佐藤 健二`,
  }),
  ({ n, piece }) => ({
    from: PEOPLE.tom,
    subject: `Invoice ${8_900 + n}`,
    text: `Hi Maya,\n\ninvoice for the wood for ${piece} attached. No hurry.\n\nTom`,
    attachments: [
      pdf(`okafor-timber-${8_900 + n}.pdf`, [
        `Okafor Timber, invoice ${8_900 + n}`,
        `For ${piece}`,
      ]),
    ],
  }),
  ({ time }) => ({
    from: PEOPLE.anna,
    subject: 'Ring mig när du hinner 💛',
    text: `Hej älskling,\n\ninget bråttom, men ring gärna efter ${time}. Äpplena är mogna!\n\nMamma`,
  }),
]

/** What arrives while the demo runs: the `n`th one, always the same for the same `n` and never twice alike. */
export function arrival(n: number): MailContent {
  const random = seededRandom(n + 1)
  const make = ARRIVALS[n % ARRIVALS.length] ?? random.pick(ARRIVALS)
  const detail = {
    time: random.pick(TIMES),
    place: random.pick(PLACES),
    piece: random.pick(PIECES),
    n,
  }
  return { to: OWNER, ...make(detail) }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
