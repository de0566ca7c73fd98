/** The owner of the demo mailbox: half of a small furniture workshop, and a household of four. */
export const OWNER = { name: 'Maya Lindqvist', address: 'maya@lindqvist-roth.example' }

/** Who writes to her, by the name used in the conversations. */
export const PEOPLE = {
  maya: OWNER,
  jonas: { name: 'Jonas Roth', address: 'jonas@lindqvist-roth.example' },
  elif: { name: 'Elif Demir', address: 'elif.demir@harbourhouse.example' },
  priya: { name: 'Priya Raman', address: 'priya@raman-architects.example' },
  tom: { name: 'Tom Okafor', address: 'tom.okafor@okafor-timber.example' },
  anna: { name: 'Anna Lindqvist', address: 'anna.lindqvist@post.example' },
  erik: { name: 'Erik Lindqvist', address: 'erik.l@post.example' },
  sabine: { name: 'Sabine Köhler', address: 's.koehler@koehler-steuer.example' },
  marek: { name: 'Marek Żółkiewski', address: 'marek@stolarnia-zolkiewski.example' },
  claire: { name: 'Claire Lefèvre', address: 'claire.lefevre@atelier-lefevre.example' },
  school: { name: 'Birchwood School', address: 'office@birchwood-school.example' },
  landlord: { name: 'Grant Whitfield', address: 'grant@whitfield-lettings.example' },
  nadia: { name: 'Nadia Haddad', address: 'nadia@haddad-photo.example' },
  club: { name: 'Ruth (Tuesday Runners)', address: 'ruth@tuesdayrunners.example' },
  kenji: { name: '佐藤 健二', address: 'kenji@sato-mokuzai.example' },
} as const

export type Person = keyof typeof PEOPLE
