/* oxlint-disable max-lines -- a table of texts */
import type { MailContent } from '../mail-transport.ts'
import { csv, invitation, pdf, png, vcard } from './attachments.ts'
import { FOLDERS } from './demo-mail.ts'
import type { Person } from './people.ts'

interface Turn {
  readonly from: Person
  /** Since the turn before; for the first since the start. */
  readonly afterHours: number
  readonly text: string
  readonly starred?: boolean
  /** What else is in it, given when it was written. */
  readonly extra?: (written: Date) => MailContent
}

export interface Conversation {
  readonly subject: string
  readonly folder: string
  readonly startedDaysAgo: number
  readonly turns: readonly Turn[]
}

const { inbox, archive, project, family } = FOLDERS

export const CONVERSATIONS: readonly Conversation[] = [
  {
    subject: 'Kitchen for the harbour house',
    folder: project,
    startedDaysAgo: 58,
    turns: [
      {
        from: 'elif',
        afterHours: 0,
        starred: true,
        text: 'Hello Maya,\n\nPriya gave me your name. We are renovating the old customs house by the harbour and would like an oak kitchen, about 5.4 m along the north wall and an island. Could you come and have a look in the next two weeks?\n\nThe drawings are attached.\n\nBest,\nElif',
        extra: () => ({
          attachments: [
            pdf('ground-floor.pdf', [
              'Harbour house, ground floor',
              'Scale 1:50',
              'North wall 5.40 m, ceiling 2.92 m',
            ]),
          ],
        }),
      },
      {
        from: 'maya',
        afterHours: 20,
        text: 'Hello Elif,\n\nWhat a building. Thursday the week after next at nine would suit me; I would bring oak samples in three finishes. Is the plaster on the north wall staying?\n\nMaya',
      },
      {
        from: 'elif',
        afterHours: 5,
        text: 'Nine is perfect. The plaster goes, there is brick behind it and we want to see some of it above the worktop.',
      },
      {
        from: 'priya',
        afterHours: 170,
        text: 'Jumping in: the duct for the extractor has to leave through the west gable, so please keep 18 cm free above the tall units. I put the section into the shared drawings and attach it here too.',
        extra: () => ({
          attachments: [pdf('section-B-B.pdf', ['Section B-B', 'Duct 150 mm, keep clear 180 mm'])],
        }),
      },
      {
        from: 'maya',
        afterHours: 90,
        text: 'Offer attached, valid for six weeks. I split the island out, so that you can decide about it later. The long lead item is the 40 mm oak worktop: Tom quotes seven weeks from order.',
        extra: () => ({
          attachments: [
            pdf('offer-2217.pdf', [
              'Offer 2217',
              'Kitchen, oak, oiled: 18,450.00',
              'Island: 6,120.00',
            ]),
            csv('offer-2217.csv', [
              ['Position', 'Text', 'Price'],
              ['1', 'Tall units, oak veneer', '7250.00'],
              ['2', 'Base units', '6900.00'],
              ['3', 'Worktop, 40 mm oak', '4300.00'],
              ['4', 'Island, with drawers', '6120.00'],
            ]),
          ],
        }),
      },
      {
        from: 'elif',
        afterHours: 260,
        starred: true,
        text: 'We have slept on it and measured it out with tape on the floor. We take both, kitchen and island. Please order the worktop.\n\nOne question: could the drawers on the window side be 10 cm deeper?',
      },
      {
        from: 'maya',
        afterHours: 18,
        text: 'Wonderful news, thank you! Yes to the drawers, no extra cost. The deposit invoice follows; fitting would be from the second week of next month.',
      },
    ],
  },
  {
    subject: 'Delivery slot for the oak boards',
    folder: inbox,
    startedDaysAgo: 6,
    turns: [
      {
        from: 'tom',
        afterHours: 0,
        text: 'Morning Maya,\n\nyour boards are out of the kiln at 8.5 %. I can bring them on Tuesday before eight or on Friday in the afternoon. Which is better?\n\nTom',
      },
      {
        from: 'maya',
        afterHours: 3,
        text: 'Tuesday before eight, please, then Jonas can help unloading. Are they all from the same trunk?',
      },
      {
        from: 'tom',
        afterHours: 26,
        text: 'All but four. I marked those with blue chalk on the end grain, use them for the backs.',
      },
      {
        from: 'jonas',
        afterHours: 2,
        text: 'I will be there from half past seven. Coffee included. ☕',
      },
    ],
  },
  {
    subject: 'Sunday lunch?',
    folder: family,
    startedDaysAgo: 3,
    turns: [
      {
        from: 'anna',
        afterHours: 0,
        text: 'Hej you two,\n\nwe have far too many plums and half a deer from the neighbours. Come on Sunday at one? Bring the children and their appetite.\n\nKram, Mamma',
      },
      { from: 'erik', afterHours: 4, text: 'We are in. I bring the cake. Not plum.' },
      { from: 'maya', afterHours: 9, text: 'We come too, all four! Shall I bring the big pot?' },
      {
        from: 'anna',
        afterHours: 1,
        text: 'Yes, the big pot. And jars, you will not leave without jam. 🍇',
      },
    ],
  },
  {
    subject: 'Quarterly VAT return: what I still need',
    folder: inbox,
    startedDaysAgo: 24,
    turns: [
      {
        from: 'sabine',
        afterHours: 0,
        starred: true,
        text: 'Dear Ms Lindqvist,\n\nfor the quarterly return I still need:\n\n1. the invoice of the timber merchant over 2,380.00\n2. receipts for the business card payments of the 4th and the 19th\n3. the mileage log\n\nThe authority expects us by the 10th.\n\nKind regards\nSabine Köhler',
      },
      {
        from: 'maya',
        afterHours: 52,
        text: 'Dear Ms Köhler,\n\n1 and 3 are attached. The payment of the 19th was the parking at the fair, I am still looking for that receipt.\n\nKind regards\nMaya Lindqvist',
        extra: () => ({
          attachments: [
            pdf('okafor-timber-8841.pdf', ['Okafor Timber', 'Invoice 8841', 'Total 2,380.00']),
            csv('mileage.csv', [
              ['Date', 'From', 'To', 'km'],
              ['3rd', 'Workshop', 'Harbour house', '14'],
              ['9th', 'Workshop', 'Okafor Timber', '62'],
              ['17th', 'Workshop', 'Fair', '118'],
            ]),
          ],
        }),
      },
      {
        from: 'sabine',
        afterHours: 22,
        text: 'Thank you, that is enough: for parking under 25.00 a note of your own will do. I will file it on Monday.',
      },
    ],
  },
  {
    subject: 'Photos of the walnut table',
    folder: inbox,
    startedDaysAgo: 2,
    turns: [
      {
        from: 'nadia',
        afterHours: 0,
        text: 'Hi Maya,\n\nhere is a first taste of yesterday. The light at four o’clock was worth the wait. The other sixty come on Friday by download link.\n\nNadia',
        extra: () => ({
          attachments: [
            png('walnut-table-01.png', {
              width: 320,
              height: 214,
              from: [96, 61, 38],
              to: [214, 176, 132],
            }),
            png('walnut-table-02.png', {
              width: 214,
              height: 320,
              from: [52, 38, 30],
              to: [188, 141, 92],
            }),
          ],
        }),
      },
      {
        from: 'maya',
        afterHours: 6,
        text: 'Oh, these are beautiful. May we use the first one for the front page as soon as it is retouched?',
      },
      {
        from: 'nadia',
        afterHours: 14,
        text: 'Of course. You will have it tomorrow morning, 3,000 pixels wide.',
      },
    ],
  },
  {
    subject: 'Planning meeting, harbour house',
    folder: project,
    startedDaysAgo: 9,
    turns: [
      {
        from: 'priya',
        afterHours: 0,
        text: 'Let us go through the open points on site: duct, brickwork, sockets in the island. An hour should do.',
        extra: (written) => ({
          icalEvent: invitation({
            uid: 'harbour-planning@raman-architects.example',
            title: 'Harbour house: open points',
            place: 'Old customs house, Quay 4',
            start: new Date(
              Math.ceil(written.getTime() / 86_400_000 + 12) * 86_400_000 + 9 * 3_600_000,
            ),
            minutes: 60,
            organizer: 'priya@raman-architects.example',
          }),
        }),
      },
      {
        from: 'maya',
        afterHours: 3,
        text: 'I will be there. I bring the drawer fronts, so that Elif can choose the grain.',
      },
      {
        from: 'elif',
        afterHours: 8,
        text: 'Great, see you both then. The site office has heating now!',
      },
    ],
  },
  {
    subject: 'Dovetail jig: which one did you buy?',
    folder: archive,
    startedDaysAgo: 210,
    turns: [
      {
        from: 'marek',
        afterHours: 0,
        text: 'Cześć Maya,\n\nat the fair you spoke of a dovetail jig that you like. Which one was it? Mine tears out every third pin.\n\nPozdrawiam\nMarek',
      },
      {
        from: 'maya',
        afterHours: 30,
        text: 'Hi Marek,\n\nit is less the jig than the bit: an 8° bit with a spiral shank, and a backing board of beech. With both, mine stopped tearing. I can lend you a bit to try.',
      },
      {
        from: 'marek',
        afterHours: 75,
        text: 'The backing board did it! Dziękuję bardzo. I owe you a pierogi evening.',
      },
    ],
  },
  {
    subject: 'Class trip: consent form',
    folder: family,
    startedDaysAgo: 17,
    turns: [
      {
        from: 'school',
        afterHours: 0,
        text: 'Dear parents of 4b,\n\nour class trip goes to the Moorland Centre for three days. Please return the attached form, signed, by Friday. The cost is 84.00, which includes meals.\n\nWith kind regards\nThe school office',
        extra: () => ({
          attachments: [
            pdf('consent-form.pdf', [
              'Consent form, class 4b',
              'Name of child: ____',
              'Signature: ____',
            ]),
          ],
        }),
      },
      {
        from: 'maya',
        afterHours: 44,
        text: 'Signed form attached. Ida does not eat nuts, I noted it on the second line.',
      },
      { from: 'school', afterHours: 17, text: 'Thank you, received and noted.' },
    ],
  },
  {
    subject: 'Damp patch in the workshop, back wall',
    folder: archive,
    startedDaysAgo: 120,
    turns: [
      {
        from: 'maya',
        afterHours: 0,
        text: 'Dear Mr Whitfield,\n\nsince the storm there is a damp patch on the back wall, about one metre by two, right where the veneer is stored. Could somebody look at the gutter?\n\nMaya Lindqvist',
      },
      {
        from: 'landlord',
        afterHours: 49,
        text: 'Sorry to hear that. I will send the roofer on Wednesday between 10 and 12. Will anybody be in?',
      },
      { from: 'maya', afterHours: 2, text: 'Yes, Jonas is here all day.' },
      {
        from: 'landlord',
        afterHours: 98,
        text: 'The roofer says the downpipe was blocked by a tennis ball, of all things. It is clear now. Please let the wall dry for two weeks before you put anything against it; I take 10 % off next month’s rent for the trouble.',
      },
      {
        from: 'maya',
        afterHours: 5,
        text: 'That is very fair, thank you. The ball is back with the neighbours’ dog.',
      },
    ],
  },
  {
    subject: 'Tuesday route and the head torches',
    folder: inbox,
    startedDaysAgo: 5,
    turns: [
      {
        from: 'club',
        afterHours: 0,
        text: 'Hello runners,\n\nit is dark by seven now, so from this week on: head torches and something bright. We meet at the lock, 9 km along the canal, pace 5:45 for group one and 6:30 for group two.\n\nRuth',
      },
      {
        from: 'maya',
        afterHours: 11,
        text: 'Group two and a torch for me, please. Mine drowned in the canal last winter.',
      },
      { from: 'club', afterHours: 3, text: 'I have a spare one for you. It floats!' },
    ],
  },
  {
    subject: 'Chaises pour le café de la place',
    folder: inbox,
    startedDaysAgo: 33,
    turns: [
      {
        from: 'claire',
        afterHours: 0,
        text: 'Bonjour Maya,\n\nle café de la place cherche vingt-quatre chaises en frêne, empilables si possible. J’ai tout de suite pensé à votre modèle « Ö ». Pourriez-vous m’indiquer un prix et un délai ?\n\nÀ très bientôt,\nClaire',
      },
      {
        from: 'maya',
        afterHours: 27,
        text: 'Bonjour Claire,\n\nquelle bonne idée ! Pour vingt-quatre pièces : 285 € par chaise, huit semaines. Elles s’empilent par quatre, au-delà elles penchent.\n\nBien à vous,\nMaya',
      },
      {
        from: 'claire',
        afterHours: 120,
        starred: true,
        text: 'C’est entendu ! La patronne est ravie. Je vous envoie sa fiche de contact, la facture est à son nom.',
        extra: () => ({
          attachments: [
            vcard({
              name: 'Hélène Garçon',
              address: 'helene@cafedelaplace.example',
              phone: '+33 1 99 00 12 34',
            }),
          ],
        }),
      },
      { from: 'maya', afterHours: 4, text: 'Merci mille fois. Le frêne est commandé.' },
    ],
  },
  {
    subject: 'サクラ材の見積もり',
    folder: inbox,
    startedDaysAgo: 41,
    turns: [
      {
        from: 'kenji',
        afterHours: 0,
        text: 'マヤ様\n\nいつもお世話になっております。ご依頼の桜材（厚さ30mm、幅200mm以上）のお見積もりをお送りいたします。乾燥は含水率9%まで行います。納期は約六週間です。\n\nご確認のほど、よろしくお願いいたします。\n佐藤 健二',
        extra: () => ({
          attachments: [
            pdf('見積書.pdf', ['Quotation 0417', 'Cherry, 30 mm, 1.2 m3', 'Total JPY 386,000']),
          ],
        }),
      },
      {
        from: 'maya',
        afterHours: 31,
        text: 'Dear Kenji,\n\nthank you, the price is fine. Please go ahead with 1.2 cubic metres. ありがとうございます！\n\nMaya',
      },
      {
        from: 'kenji',
        afterHours: 14,
        text: '承知いたしました。さっそく手配いたします。船積みの日が決まりましたらご連絡いたします。',
      },
    ],
  },
  {
    subject: 'New band saw',
    folder: archive,
    startedDaysAgo: 300,
    turns: [
      {
        from: 'jonas',
        afterHours: 0,
        text: 'The old saw ate its third bearing today. I say we stop repairing it. Two candidates:\n\n- the 500 mm one, used, 2,900, an hour from here\n- the 600 mm one, new, 5,400, with a brake\n\nThoughts?',
      },
      {
        from: 'maya',
        afterHours: 7,
        text: 'The brake is worth it for the insurance alone. But 600 mm does not fit under the beam, does it?',
      },
      {
        from: 'jonas',
        afterHours: 1,
        text: 'Measured: 4 cm of air. It fits if we never want to lift it again.',
      },
      { from: 'maya', afterHours: 15, text: 'Then the new one. Call it an anniversary present.' },
      {
        from: 'jonas',
        afterHours: 50,
        text: 'Ordered. It comes on a lorry with a crane in three weeks.',
      },
    ],
  },
  {
    subject: 'Ida’s birthday',
    folder: family,
    startedDaysAgo: 150,
    turns: [
      {
        from: 'erik',
        afterHours: 0,
        text: 'What does my favourite niece wish for? And do not say "a horse" again.',
      },
      {
        from: 'maya',
        afterHours: 5,
        text: 'A telescope. She has read everything about Saturn and corrects her teacher. 🪐',
      },
      {
        from: 'erik',
        afterHours: 2,
        text: 'Then a telescope it is. I split it with Mamma. Is a 114 mm one too much for a nine-year-old?',
      },
      { from: 'anna', afterHours: 12, text: 'Nothing is too much. I pay for the tripod.' },
      { from: 'maya', afterHours: 3, text: 'You are both mad and we love you.' },
    ],
  },
  {
    subject: 'Apprentice for next year',
    folder: inbox,
    startedDaysAgo: 13,
    turns: [
      {
        from: 'jonas',
        afterHours: 0,
        text: 'Leila from the trial week has written: she would like to start in September. She is quick, careful and asks why. I am for it.\n\nCan we afford it? My rough sum is attached.',
        extra: () => ({
          attachments: [
            csv('apprentice.csv', [
              ['Year', 'Wage a month', 'Course'],
              ['1', '724', '410'],
              ['2', '837', '410'],
              ['3', '977', '0'],
            ]),
          ],
        }),
      },
      {
        from: 'maya',
        afterHours: 20,
        text: 'With the chairs for Claire and the harbour kitchen: yes. Let us invite her on Friday and show her the contract.',
      },
      { from: 'jonas', afterHours: 1, text: 'I will call her today.' },
    ],
  },
  {
    subject: 'Website: the price page is out of date',
    folder: inbox,
    startedDaysAgo: 1,
    turns: [
      {
        from: 'jonas',
        afterHours: 0,
        text: 'A customer just quoted our own website at me: it still says 240 for the chair. Can you change it when you are at your desk?',
      },
      {
        from: 'maya',
        afterHours: 2,
        text: 'Done, 285 now. I also removed the sentence about free delivery within the country.',
      },
      {
        from: 'jonas',
        afterHours: 0.5,
        text: 'Thanks. That one has cost us a trip to the islands already.',
      },
    ],
  },
]
