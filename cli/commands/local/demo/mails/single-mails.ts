/* oxlint-disable max-lines -- a table of texts */
import { png, vcard } from './attachments.ts'
import { DAY, FOLDERS, isRecent, WEEK } from './demo-mail.ts'
import type { DemoMail } from './demo-mail.ts'
import { OWNER, PEOPLE } from './people.ts'

interface Single {
  readonly hoursAgo: number
  readonly from: { readonly name: string; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly folder?: string
  readonly starred?: boolean
  readonly content?: DemoMail['content']
}

const LONG_STORY = [
  'Dear Maya,',
  'you asked me at the christening how your great-grandfather came to own the workshop, and I promised to write it down before nobody knows any more.',
  'He was not a carpenter at all. In 1921 he mended boats, badly as he said himself, in a shed where the ferry terminal stands today. One autumn a steamer with oak from Libau ran onto the sandbank. The captain paid his helpers in planks, because he had no money left, and so your great-grandfather had forty planks and no idea what to do with them.',
  'The winter was long. He made a table, and it wobbled. He made a second one, and it did not. The third he sold to the priest. By spring he had sold nine, and the shed was full of people who wanted chairs as well.',
  'The building you work in was a sail loft then. He rented the ground floor for the price of one table a year, and that was the contract: one table a year, on the first of May. The owner’s family must have had the best-furnished house of the coast. When the old man died in 1949, the daughter sold him the whole building, also for tables: thirty of them. It took him four years.',
  'The marks on the third beam from the door are his. One for each table. I counted them as a child and came to twenty-nine, and grandmother always said that the thirtieth is the one you eat at when you visit me.',
  'Now you know. Put it on your website, if you like, but leave out the part with the sandbank; officially nobody ever took any oak.',
  'Your aunt Greta',
].join('\n\n')

const SINGLES: readonly Single[] = [
  {
    hoursAgo: 5,
    from: PEOPLE.marek,
    subject: 'Zaproszenie na targi w Poznaniu',
    text: 'Cześć Maya,\n\nw przyszłym miesiącu mamy stoisko na targach w Poznaniu, hala 7. Może wpadniecie z Jonasem? Nocleg załatwię, a pierogi już obiecałem.\n\nŚciskam,\nMarek',
    starred: true,
  },
  {
    hoursAgo: 9,
    from: { name: '林美玲', address: 'meiling.lin@lin-design.example' },
    subject: '關於餐桌的尺寸',
    text: '您好：\n\n我們在雜誌上看到您設計的胡桃木餐桌，非常喜歡。請問可以訂做長240公分、寬95公分的尺寸嗎？運送到臺北大約需要多久？\n\n謝謝您！\n林美玲',
  },
  {
    hoursAgo: 27,
    from: { name: 'ศิริพร วงศ์สุวรรณ', address: 'siriporn@baanmai.example' },
    subject: 'สอบถามเรื่องไม้สักเก่า',
    text: 'สวัสดีค่ะคุณมายา\n\nเรามีไม้สักเก่าจากบ้านหลังเดิมประมาณสองร้อยแผ่น ไม่ทราบว่าคุณสนใจรับซื้อหรือไม่คะ ส่งรูปมาให้ดูก่อนได้ค่ะ\n\nขอบคุณค่ะ\nศิริพร',
  },
  {
    hoursAgo: 3 * DAY,
    from: { name: 'ليلى منصور', address: 'layla@mansour-interiors.example' },
    subject: 'طلب عرض سعر لمكتبة',
    text: 'مرحبًا مايا،\n\nنبحث عن مكتبة من خشب البلوط لغرفة المعيشة، بعرض ثلاثة أمتار وارتفاع مترين ونصف. هل يمكنكِ إرسال عرض سعر تقريبي مع مدة التنفيذ؟\n\nمع خالص التحية،\nليلى منصور',
  },
  {
    hoursAgo: 4 * DAY,
    from: { name: '王小明', address: 'wang@huamu.example' },
    subject: '榉木库存通知',
    text: '尊敬的客户：\n\n您关注的榉木板材（厚度26毫米）已经到货，共15立方米。如需预留，请在本周五之前回复。\n\n此致\n敬礼\n王小明',
  },
  {
    hoursAgo: 6 * DAY,
    from: PEOPLE.sabine,
    subject: 'Änderung der Öffnungszeiten über die Feiertage',
    text: 'Liebe Mandantinnen und Mandanten,\n\nunser Büro ist vom 23. Dezember bis zum 6. Januar nur vormittags besetzt. Fristwahrende Unterlagen bitte bis zum 20. schicken – größere Dateien gern über das Portal.\n\nMit freundlichen Grüßen\nSabine Köhler',
  },
  {
    hoursAgo: 8 * DAY,
    from: { name: 'Greta Sörensen', address: 'greta@soerensen.example' },
    subject: 'How the workshop came to us',
    text: LONG_STORY,
    starred: true,
    folder: FOLDERS.family,
  },
  {
    hoursAgo: 2 * DAY,
    from: { name: 'Ида и Лев', address: 'lev.sokolov@post.example' },
    subject: 'Спасибо за качели!',
    text: 'Дорогая Майя!\n\nКачели висят, дети не слезают. Прилагаем рисунок — это ты на крыше с пилой. 😄\n\nОбнимаем,\nИда и Лев',
    content: {
      attachments: [
        png('рисунок.png', { width: 200, height: 150, from: [255, 220, 90], to: [80, 160, 240] }),
      ],
    },
  },
  {
    hoursAgo: 31,
    from: { name: 'Dr. Weiss Dental', address: 'reminder@weiss-dental.example' },
    subject: 'Reminder: your appointment on Thursday at 8:20',
    text: 'Dear Ms Lindqvist,\n\nthis is a reminder of your check-up on Thursday at 8:20. If you cannot come, please call us a day before: 0555 0142.\n\nYour practice team',
  },
  {
    hoursAgo: 12 * DAY,
    from: { name: 'Harbour Library', address: 'loans@harbour-library.example' },
    subject: 'Two of your loans are due in three days',
    text: 'These items are due in three days:\n\n  The Nature and Art of Workmanship\n  Planets and How to Find Them (children)\n\nYou can renew them twice, unless somebody waits for them.',
  },
  {
    hoursAgo: 16 * DAY,
    from: { name: '김서연', address: 'seoyeon@studio-namu.example' },
    subject: '협업 제안드립니다',
    text: '안녕하세요, 마야 님.\n\n서울에서 작은 가구 스튜디오를 운영하고 있는 김서연입니다. 내년 봄 전시에 함께 참여하실 의향이 있으신지 여쭙고 싶습니다. 자세한 내용은 통화로 말씀드리겠습니다.\n\n감사합니다.',
  },
  {
    hoursAgo: 5 * WEEK,
    from: { name: 'Leila Winter', address: 'leila.winter@post.example' },
    subject: 'Thank you for the trial week',
    text: 'Dear Ms Lindqvist, dear Mr Roth,\n\nthank you for the week in your workshop. I never thought that I could be so happy about a drawer that closes. My contact details are attached.\n\nKind regards\nLeila Winter',
    content: {
      attachments: [
        vcard({
          name: 'Leila Winter',
          address: 'leila.winter@post.example',
          phone: '+49 555 0199',
        }),
      ],
    },
  },
  {
    hoursAgo: 9 * WEEK,
    from: { name: 'Giulia Ferri', address: 'giulia@ferri-luci.example' },
    subject: 'Lampade per lo stand: perché no?',
    text: 'Ciao Maya,\n\nper la fiera potremmo condividere lo stand: le tue sedie, le mie lampade. Così la metà della spesa è già risparmiata. Che ne dici?\n\nUn abbraccio,\nGiulia',
    folder: FOLDERS.archive,
  },
  {
    hoursAgo: 26,
    from: { name: 'Account security', address: 'no-reply@lindqvist-roth.example' },
    subject: 'New sign-in to your mailbox',
    text: 'Your mailbox was opened from a new device:\n\n  Firefox on Linux, near Hamburg\n\nIf this was you, there is nothing to do.',
  },
  {
    hoursAgo: 40,
    folder: FOLDERS.trash,
    from: { name: 'Office Sale', address: 'deals@officesale.example' },
    subject: 'Only today: 40 % off all desk chairs',
    text: 'Our biggest sale of the year ends at midnight.\n\nThere is, of course, another one next week.',
  },
  {
    hoursAgo: 3 * WEEK,
    folder: FOLDERS.trash,
    from: { name: 'Meeting bot', address: 'bot@meetings.example' },
    subject: 'Recording available: supplier call',
    text: 'The recording of your call (32 minutes) is available for seven days.',
  },
  {
    hoursAgo: 4 * WEEK,
    folder: FOLDERS.trash,
    from: PEOPLE.landlord,
    subject: 'Water off on Monday, 9 to 11',
    text: 'The water has to be off on Monday from 9 to 11 because of works in the street. Please fill a kettle.\n\nGrant Whitfield',
  },
  {
    hoursAgo: 7 * WEEK,
    folder: FOLDERS.trash,
    from: { name: 'Survey', address: 'survey@fjordmobile.example' },
    subject: 'How did we do?',
    text: 'Please rate your last call with us from 1 to 10. It takes two minutes and we read every answer.',
  },
  {
    hoursAgo: 11,
    folder: FOLDERS.junk,
    from: { name: 'P0st Delivery', address: 'info@parcel-hold.example' },
    subject: 'Your parcel is on hold!!',
    text: 'Dear customer,\n\nyour parcel could not be delivered because of an unpaid fee of 1.99. Pay within 24 hours:\nhttps://parcel-hold.example/pay\n',
  },
  {
    hoursAgo: 33,
    folder: FOLDERS.junk,
    from: { name: 'Mrs. Adelaide Brown', address: 'adelaide.brown@fund-office.example' },
    subject: 'URGENT: beneficiary of USD 4,500,000',
    text: 'My dearest,\n\nI am the widow of a late oil merchant and have chosen you, a God-fearing person, to manage the sum of USD 4,500,000. Kindly send your full name, address and bank.\n\nYours in trust',
  },
  {
    hoursAgo: 50,
    folder: FOLDERS.junk,
    from: { name: 'SEO Experts', address: 'kevin@rank-higher.example' },
    subject: 'Re: your website has 14 errors',
    text: 'Hi,\n\nI was on your website and found 14 errors that keep you from the first page. May I send you a free report?\n\nKevin',
  },
  {
    hoursAgo: 5 * DAY,
    folder: FOLDERS.junk,
    from: { name: 'Crypto Daily', address: 'win@coin-rocket.example' },
    subject: '🚀 You missed 900 % - do not miss this',
    text: 'The next coin starts tonight. Only 50 places left.',
  },
  {
    hoursAgo: 7 * DAY,
    folder: FOLDERS.junk,
    from: { name: 'IT-Helpdesk', address: 'helpdesk@mailbox-upgrade.example' },
    subject: 'Ihr Postfach ist zu 99 % voll',
    text: 'Sehr geehrter Nutzer,\n\nIhr Postfach wird in 12 Stunden gesperrt. Bestätigen Sie Ihr Kennwort hier:\nhttps://mailbox-upgrade.example/anmelden',
  },
  {
    hoursAgo: 9 * DAY,
    folder: FOLDERS.junk,
    from: { name: 'Plywood Factory Direct', address: 'sales8@ply-direct.example' },
    subject: 'Dear manager, film faced plywood best price',
    text: 'Dear manager,\n\nglad to learn you are in the market of plywood. We are factory 20 years. 1220*2440*18mm FOB. Any inquiry welcome.\n\nLucy',
  },
  {
    hoursAgo: 12 * DAY,
    folder: FOLDERS.junk,
    from: { name: 'Gewinnspiel', address: 'gluck@gewinn-zentrale.example' },
    subject: 'Sie haben einen Gutschein über 500 € gewonnen',
    text: 'Herzlichen Glückwunsch!\n\nSie sind der 1.000.000. Besucher. Holen Sie Ihren Gutschein noch heute ab.',
  },
]

const DRAFTS: readonly {
  to: { name: string; address: string }
  subject: string
  text: string
  hoursAgo: number
}[] = [
  {
    to: PEOPLE.marek,
    subject: 'Re: Zaproszenie na targi w Poznaniu',
    text: 'Hi Marek,\n\nwe would love to come! Jonas has to stay for the ',
    hoursAgo: 3,
  },
  {
    to: PEOPLE.kenji,
    subject: 'Shipping date for the cherry',
    text: 'Dear Kenji,\n\nis there a date for the ship yet? We',
    hoursAgo: 50,
  },
  {
    to: PEOPLE.landlord,
    subject: 'Lease of the back room',
    text: 'Dear Mr Whitfield,\n\nsince we may take on an apprentice, we would like to ask whether the back room',
    hoursAgo: 8 * DAY,
  },
  {
    to: { name: 'Greta Sörensen', address: 'greta@soerensen.example' },
    subject: 'Re: How the workshop came to us',
    text: 'Dear Greta,\n\nI went and counted the marks on the beam. There are thirty.',
    hoursAgo: 7 * DAY,
  },
]

/** Messages that stand alone: many languages and scripts, drafts, junk and what was thrown away. */
export function singleMails(): readonly DemoMail[] {
  const received = SINGLES.map((single, index): DemoMail => {
    const { hoursAgo, folder = FOLDERS.inbox, starred = false, from, subject, text } = single
    const content = { from, to: OWNER, subject, text, ...single.content }
    const unread = folder === FOLDERS.junk || isRecent(hoursAgo)
    return { key: `single${index}`, folder, hoursAgo, starred, unread, content }
  })
  const drafts = DRAFTS.map(({ to, subject, text, hoursAgo }, index) => {
    const content = { from: OWNER, to, subject, text }
    return { key: `draft${index}`, folder: FOLDERS.drafts, hoursAgo, content }
  })
  return [...received, ...drafts]
}
