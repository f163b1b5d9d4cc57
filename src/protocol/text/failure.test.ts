import { expect, test } from 'vitest'
import { saysFailure } from './failure.ts'

test.each([
  'Error: no such file',
  'error reading the page',
  '<tool_use_error>File has not been read yet',
  '{"error": "not found"}',
  'ENOENT: no such file or directory, open a.txt',
  'Traceback (most recent call last):',
  'TypeError: x is not a function',
  'java.lang.NullPointerException',
  'fatal: not a git repository',
  'Could not edit file: config.ini. Error code: ENOENT.',
  'Cannot read properties of undefined',
])('a result that begins with %j went wrong', (text) => {
  expect(saysFailure(text)).toBe(true)
})

test.each([
  '21 degrees',
  '',
  '{"error": null, "value": 3}',
  '{"errors": [], "value": 3}',
  'Example: a line of text',
  'src/errors.ts:14: export class GatewayError',
  'port = 8080\n# error log\nlog = /var/log/error',
])('a result that begins with %j does not say that it went wrong', (text) => {
  expect(saysFailure(text)).toBe(false)
})
