import type { Random } from '../random.ts'
import { pdf } from './attachments.ts'
import { FOLDERS, isRecent, MONTH } from './demo-mail.ts'
import type { DemoMail } from './demo-mail.ts'
import { OWNER } from './people.ts'

const SHOPS = [
  {
    name: 'Beckmann Beschläge',
    domain: 'beckmann-beschlaege.example',
    goods: ['Topfscharnier 110°', 'Auszug 500 mm', 'Möbelknopf Messing', 'Schubkastenschloss'],
  },
  {
    name: 'Papercut Books',
    domain: 'papercutbooks.example',
    goods: [
      'The Anarchist’s Design Book',
      'A Field Guide to Moss',
      'Saturn: A Biography',
      'Bread, Slowly',
    ],
  },
  {
    name: 'Nordlicht Elektro',
    domain: 'nordlicht-elektro.example',
    goods: ['LED strip 3000 K, 5 m', 'Dust extractor filter', 'Extension lead 25 m'],
  },
  {
    name: 'Small Feet',
    domain: 'smallfeet.example',
    goods: ['Rain boots, size 33', 'Wool socks, 3 pairs', 'School rucksack, dark green'],
  },
]
const BILLS = [
  {
    name: 'Stadtwerke',
    address: 'service@stadtwerke-hafen.example',
    subject: 'Ihre Abrechnung',
    text: 'Ihre monatliche Abrechnung für Strom und Wärme liegt bei. Der Betrag wird in den nächsten Tagen abgebucht.',
  },
  {
    name: 'Fjord Mobile',
    address: 'billing@fjordmobile.example',
    subject: 'Your bill is ready',
    text: 'Your bill for two lines is attached. You do not have to do anything: we take the amount from your account on the 15th.',
  },
]

/** Order confirmations, shipping notices and monthly bills. */
export function orders(random: Random): readonly DemoMail[] {
  return [...bills(random), ...Array.from({ length: 36 }, (_, n) => purchase(n, random)).flat()]
}

function bills(random: Random): readonly DemoMail[] {
  return BILLS.flatMap(({ name, address, subject, text }, biller) =>
    Array.from({ length: 18 }, (_, month): DemoMail => {
      const number = `${biller + 3}${String(4_400 - month * 13)}`
      const total = money(random.integer(2_900, 18_900))
      const hoursAgo = month * MONTH + random.integer(30, 200)
      return {
        key: `bill${biller}.${month}`,
        folder: month < 3 ? FOLDERS.inbox : FOLDERS.archive,
        hoursAgo,
        unread: isRecent(hoursAgo),
        content: {
          from: { name, address },
          to: OWNER,
          subject: `${subject} ${number}`,
          text: `${text}\n\nTotal: ${total}\n`,
          html: `<p>${text}</p><p><strong>Total: ${total}</strong></p>`,
          attachments: [pdf(`${number}.pdf`, [`${name} ${number}`, OWNER.name, `Total: ${total}`])],
        },
      }
    }),
  )
}

function purchase(n: number, random: Random): readonly DemoMail[] {
  const shop = random.pick(SHOPS)
  const order = `${random.integer(100, 999)}-${random.integer(10_000, 99_999)}`
  const items = [random.pick(shop.goods), random.pick(shop.goods)].map((item) => ({
    item,
    count: random.integer(1, 4),
    price: money(random.integer(690, 8_900)),
  }))
  const orderedHoursAgo = n * 15 * 24 + random.integer(70, 90)
  const shippedHoursAgo = orderedHoursAgo - random.integer(20, 60)
  const from = { name: shop.name, address: `orders@${shop.domain}` }
  const list = items.map(({ item, count, price }) => `${count} × ${item}   ${price}`).join('\n')
  const rows = items.map(
    ({ item, count, price }) =>
      `<tr><td>${count} ×</td><td>${item}</td><td align="right">${price}</td></tr>`,
  )
  const tracking = `00340${random.integer(100_000, 999_999)}${random.integer(100_000, 999_999)}`
  const folder = n < 6 ? FOLDERS.inbox : FOLDERS.archive
  const key = `order${n}`
  return [
    {
      key,
      folder,
      hoursAgo: orderedHoursAgo,
      content: {
        from,
        to: OWNER,
        subject: `Order ${order} confirmed`,
        text: `Thank you for your order, Maya.\n\n${list}\n\nWe tell you when it is on its way.`,
        html: `<h2>Thank you for your order, Maya.</h2><table cellpadding="6">${rows.join('')}</table><p>We tell you when it is on its way.</p>`,
      },
    },
    {
      key: `${key}.shipped`,
      replyTo: [key],
      folder,
      hoursAgo: shippedHoursAgo,
      unread: isRecent(shippedHoursAgo),
      content: {
        from,
        to: OWNER,
        subject: `Your order ${order} has been shipped 📦`,
        html: `<p>Your parcel is on its way.</p><table cellpadding="6">${rows.join('')}</table><p>Tracking number <a href="https://${shop.domain}/track/${tracking}">${tracking}</a></p>`,
      },
    },
  ]
}

const money = (cents: number) => `€ ${(cents / 100).toFixed(2)}`
