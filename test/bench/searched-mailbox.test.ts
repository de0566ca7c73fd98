import { expect, test } from 'vitest'

import { searchedMailbox } from './searched-mailbox.ts'

const MESSAGES = 1_000
const { messages, contents } = searchedMailbox(MESSAGES)
const texts = [...messages()].map(({ source }) => Buffer.from(source).toString().toLowerCase())
const isIn = (words: string) => texts.filter((text) => text.match(new RegExp(`\\b${words}\\b`)))

test.each([0.8, 0.1, 0.01])('words are in as many messages as they are said to be, %d', (share) => {
  const words = contents.wordsIn(MESSAGES * share, 5)
  expect(new Set(words).size).toBe(5)
  for (const word of words) {
    const found = isIn(word).length / MESSAGES
    // Answers repeat the subject, and other senders have it as a name.
    expect(found).toBeGreaterThan(share * 0.8 - 0.005)
    expect(found).toBeLessThan(share * 1.2 + 0.005)
  }
})

test('each sender has a name that is in the headers of a few', () => {
  expect(new Set(contents.names).size).toBe(contents.names.length)
  expect(isIn(`from: ada ${contents.names[0]}`).length).toBeGreaterThan(0)
})

test('some correspondents are written to far more often than others', () => {
  const [first = '', ...others] = contents.correspondents
  expect(new Set([first, ...others]).size).toBe(20_000)
  expect(isIn(`${first} <correspondent0@bench`).length).toBeGreaterThan(MESSAGES / 20)
  expect(isIn(`${others[999]} <correspondent1000@bench`).length).toBeLessThan(5)
})

test('what was sampled is there', () => {
  expect(contents.sentences.length).toBeGreaterThan(100)
  expect(isIn(contents.sentences[0] ?? '').length).toBeGreaterThan(0)
  expect(contents.ideographs.length).toBeGreaterThan(20)
  expect(contents.ideographs[0]).toMatch(/^\p{Script=Han}+$/u)
})
