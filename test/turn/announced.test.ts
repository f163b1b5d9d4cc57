import { expect, test } from 'vitest'
import { isAnnouncement } from '../../src/turn/answer/watch/announced.ts'
import { announcements, atWork, chats } from './announced-answers.ts'

const toolNames = ['read_file', 'run_command', 'web_search']
const asked = { isAtWork: false, toolNames }
const working = { isAtWork: true, toolNames }

test('pure conversation is left alone: of 200 answers at most two are asked about', () => {
  expect(chats.length).toBeGreaterThanOrEqual(200)
  const wrong = chats.filter((said) => isAnnouncement(said, asked))
  expect(wrong.length, wrong.join('\n---\n')).toBeLessThanOrEqual(2)
})

test('of answers that only announce a call, in ten languages, nine in ten are seen', () => {
  expect(announcements.length).toBeGreaterThanOrEqual(60)
  const missed = announcements.filter((said) => !isAnnouncement(said, asked))
  expect(missed.length, missed.join('\n---\n')).toBeLessThanOrEqual(announcements.length / 10)
})

test('amid work less is enough', () => {
  const missed = atWork.announced.filter((said) => !isAnnouncement(said, working))
  expect(missed.length, missed.join('\n---\n')).toBeLessThanOrEqual(atWork.announced.length / 10)
})

test('amid work, what reports, asks or offers is an answer', () => {
  const wrong = atWork.answered.filter((said) => isAnnouncement(said, working))
  expect(wrong.length, wrong.join('\n---\n')).toBeLessThanOrEqual(1)
})

test('hostile texts take no time', () => {
  const texts = ['a, '.repeat(50_000), 'now '.repeat(50_000), '我现在'.repeat(50_000), 'i will '.repeat(50_000)]
  const begun = performance.now()
  for (const text of texts) isAnnouncement(text, working)
  expect(performance.now() - begun).toBeLessThan(500)
})
