import { gzipSync } from 'node:zlib'
import type { FailureCode } from '../../src/errors.ts'
import { done, head, jsonAnswer, type Mode, oddCalls, parts, usageChunk, wholeAnswer } from './answer.ts'
import type { Step } from './service.ts'

/** The key the gateway sends to services, which must be seen nowhere else. */
export const serviceKey = 'sk-upstream-NEVER-to-be-seen-0123456789'

export interface Fault {
  readonly name: string
  /** Absent: in both. */
  readonly modes?: readonly Mode[]
  readonly steps: (mode: Mode) => readonly Step[]
  /** The whole answer, or the failures that tell the truth about it. */
  readonly expected: 'answer' | readonly FailureCode[]
}

const plain = (status: string, body: string, headers = ''): readonly Step[] => [
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n${headers}\r\n${body}`,
  'END',
]
const refusal = (status: string, message: string, headers = ''): readonly Step[] =>
  plain(status, JSON.stringify({ error: { message, type: 'x', code: null } }), headers)
const encoded = (encoding: string, body: Buffer): readonly Step[] => [
  head.replace('\r\n\r\n', `\r\ncontent-encoding: ${encoding}\r\n\r\n`),
  body,
  'END',
]
const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const chunkedHead = head.replace('connection: close', 'transfer-encoding: chunked')
const begun = (mode: Mode): string => head + parts[mode].intro + parts[mode].begin + parts[mode].half
const bytewise = (text: string): readonly Step[] => [{ drip: text, everyMs: 0 }, 'HANG']

const silence = ['upstream_timeout'] as const
const cut = ['upstream_truncated', 'upstream_unreachable'] as const
const odd = ['upstream_malformed', 'upstream_error', 'upstream_truncated'] as const

/** What services do wrong, from the first byte to the last. */
export const upstreamFaults: readonly Fault[] = [
  { name: 'accepts, then says nothing', steps: () => ['HANG'], expected: silence },
  { name: 'sends its headers, then nothing', steps: () => [head, 'HANG'], expected: silence },
  {
    name: 'falls silent inside an event',
    steps: (mode) => [head, parts[mode].intro, parts[mode].begin.slice(0, 30), 'HANG'],
    expected: silence,
  },
  { name: 'falls silent inside an argument', steps: (mode) => [begun(mode), 'HANG'], expected: silence },
  {
    name: 'sends only comments, for ever',
    steps: () => [head, { again: ': ping\n\n', everyMs: 50 }],
    expected: silence,
  },
  {
    name: 'sends only comments inside an argument',
    steps: (mode) => [begun(mode), { again: ': ping\n\n', everyMs: 50 }],
    expected: silence,
  },
  {
    name: 'resets before its headers',
    steps: () => ['RESET'],
    expected: ['upstream_unreachable', 'upstream_truncated'],
  },
  { name: 'closes before its headers', steps: () => ['END'], expected: ['upstream_unreachable', 'upstream_truncated'] },
  {
    name: 'resets inside an event',
    steps: (mode) => [head, parts[mode].intro, parts[mode].begin.slice(0, 30), 'RESET'],
    expected: cut,
  },
  { name: 'resets inside an argument', steps: (mode) => [begun(mode), 'RESET'], expected: cut },
  {
    name: 'closes inside its chunks',
    steps: (mode) => [chunkedHead, chunked(parts[mode].intro), chunked(parts[mode].begin).slice(0, 40), 'END'],
    expected: cut,
  },
  { name: 'closes inside an argument', steps: (mode) => [begun(mode), 'END'], expected: cut },
  {
    name: 'closes after a whole call without a finish',
    steps: (mode) => [begun(mode), parts[mode].rest, 'END'],
    expected: cut,
  },
  {
    name: 'promises more bytes than it sends',
    steps: (mode) => [
      head.replace('connection: close', 'content-length: 99999'),
      begun(mode).slice(head.length),
      'END',
    ],
    expected: cut,
  },
  {
    name: 'sends a byte now and then',
    steps: (mode) => [{ drip: head + wholeAnswer(mode), everyMs: 60 }, 'HANG'],
    expected: silence,
  },
  {
    name: 'sends one event of 16 megabytes',
    steps: () => [head, `data: ${'x'.repeat(16 << 20)}\n\n`, 'HANG'],
    expected: ['upstream_malformed'],
  },
  {
    name: 'never ends an event',
    steps: () => [head, { again: 'data: xxxxxxxxxxxxxxxx\n'.repeat(2048), everyMs: 0 }],
    expected: ['upstream_malformed', 'upstream_timeout'],
  },
  {
    name: 'talks without end',
    steps: (mode) => [head, parts[mode].intro, { again: parts.prompt.endless, everyMs: 0 }],
    expected: ['answer_too_large'],
  },
  {
    name: 'repeats itself inside an argument without end',
    steps: (mode) => [begun(mode), { again: parts[mode].endless, everyMs: 0 }],
    expected: ['answer_too_large'],
  },
  {
    name: 'answers with a web page',
    steps: () => [head.replace('event-stream', 'html'), '<html>hi</html>', 'END'],
    expected: odd,
  },
  {
    name: 'answers with lines of JSON',
    steps: () => [head, '{"response":"a"}\n{"response":"b"}\n', 'END'],
    expected: odd,
  },
  { name: 'answers with an empty body', steps: () => [head, 'END'], expected: odd },
  { name: 'answers with an empty object', steps: () => plain('200 OK', '{}'), expected: odd },
  { name: 'answers with one JSON body', steps: (mode) => plain('200 OK', jsonAnswer(mode)), expected: 'answer' },
  {
    name: 'breaks the JSON of one event',
    steps: (mode) => [
      begun(mode),
      'data: {"choices":[{"delta":{"content":\n\n',
      parts[mode].rest,
      parts[mode].finish,
      done,
      'END',
    ],
    expected: odd,
  },
  {
    name: 'ends its side after the answer, and keeps the other open',
    steps: (mode) => [head.replace('connection: close\r\n', ''), wholeAnswer(mode), done, 'HALF'],
    expected: 'answer',
  },
  {
    name: 'ends its side inside an argument, and keeps the other open',
    steps: (mode) => [begun(mode), 'HALF'],
    expected: cut,
  },
  { name: 'leaves out [DONE]', steps: (mode) => [head, wholeAnswer(mode), 'END'], expected: 'answer' },
  {
    name: 'ends without a blank line',
    steps: (mode) => [head, wholeAnswer(mode), 'data: [DONE]', 'END'],
    expected: 'answer',
  },
  {
    name: 'goes on after [DONE]',
    steps: (mode) => [head, wholeAnswer(mode), done, parts[mode].intro, parts[mode].begin, 'END'],
    expected: 'answer',
  },
  {
    name: 'keeps the connection after [DONE]',
    steps: (mode) => [head, wholeAnswer(mode), done, 'HANG'],
    expected: 'answer',
  },
  {
    name: 'leaves out the finish reason',
    steps: (mode) => [begun(mode), parts[mode].rest, done, 'END'],
    expected: 'answer',
  },
  {
    name: 'tells an error inside a stream with status 200',
    steps: (mode) => [begun(mode), 'data: {"error":{"message":"out of memory","code":500}}\n\n', 'END'],
    expected: ['upstream_error', 'upstream_overloaded'],
  },
  {
    name: 'tells an error at once with status 200',
    steps: () => plain('200 OK', '{"error":{"message":"out of memory","code":500}}'),
    expected: ['upstream_error', 'upstream_overloaded'],
  },
  {
    name: 'answers 429 with Retry-After',
    steps: () => refusal('429 Too Many', 'slow down', 'retry-after: 7\r\n'),
    expected: ['rate_limit_exceeded'],
  },
  { name: 'answers 429', steps: () => refusal('429 Too Many', 'slow down'), expected: ['rate_limit_exceeded'] },
  { name: 'answers 500', steps: () => refusal('500 Oops', 'boom'), expected: ['upstream_error'] },
  {
    name: 'answers 502',
    steps: () => refusal('502 Bad', 'boom'),
    expected: ['upstream_error', 'upstream_unreachable'],
  },
  { name: 'answers 503', steps: () => refusal('503 Busy', 'busy'), expected: ['upstream_overloaded'] },
  { name: 'answers 504', steps: () => refusal('504 Late', 'late'), expected: ['upstream_timeout', 'upstream_error'] },
  {
    name: 'answers 529',
    steps: () => refusal('529 Over', 'overloaded'),
    expected: ['upstream_overloaded', 'upstream_error'],
  },
  {
    name: 'answers 401 and repeats the key',
    steps: () => refusal('401 No', `Incorrect API key provided: ${serviceKey}`),
    expected: ['upstream_auth'],
  },
  {
    name: 'repeats the key inside a stream',
    steps: (mode) => [begun(mode), `data: {"error":{"message":"bad key ${serviceKey}"}}\n\n`, 'END'],
    expected: ['upstream_error', 'upstream_auth'],
  },
  {
    name: 'answers 302',
    steps: () => plain('302 Found', '', 'location: http://127.0.0.1:1/elsewhere\r\n'),
    expected: ['upstream_error'],
  },
  {
    name: 'compresses, unasked',
    steps: (mode) => encoded('gzip', gzipSync(wholeAnswer(mode) + done)),
    expected: ['upstream_malformed'],
  },
  {
    name: 'sends a bomb in two codings',
    steps: () => encoded('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(1 << 20)))),
    expected: ['upstream_malformed'],
  },
  {
    name: 'sends headers of 40 kilobytes',
    steps: () => [head.replace('\r\n\r\n', `\r\nx-much: ${'y'.repeat(40 << 10)}\r\n\r\n`), 'END'],
    expected: ['upstream_malformed', 'upstream_unreachable', 'upstream_error', 'upstream_truncated'],
  },
  {
    name: 'speaks no HTTP',
    steps: () => ['220 mail.example ESMTP\r\n', 'END'],
    expected: ['upstream_malformed', 'upstream_unreachable', 'upstream_error', 'upstream_truncated'],
  },
  {
    name: 'says two things about where its answer ends',
    steps: (mode) => [
      chunkedHead.replace('\r\n\r\n', '\r\ncontent-length: 5\r\n\r\n'),
      chunked(wholeAnswer(mode) + done),
      '0\r\n\r\n',
    ],
    expected: ['upstream_malformed'],
  },
  {
    name: 'breaks the size of a chunk',
    steps: (mode) => [chunkedHead, chunked(parts[mode].intro), '-5\r\nhello\r\n', 'HANG'],
    expected: ['upstream_malformed', 'upstream_truncated'],
  },
  {
    name: 'says 102 and 103 first',
    steps: (mode) => [
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
      head,
      wholeAnswer(mode),
      done,
      'END',
    ],
    expected: 'answer',
  },
  {
    name: 'sends bytes that are no UTF-8',
    steps: (mode) => [
      head,
      Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"'),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from('"},"finish_reason":null}]}\n\n'),
      wholeAnswer(mode),
      done,
      'END',
    ],
    expected: 'answer',
  },
  {
    name: 'sends every byte by itself',
    steps: (mode) => bytewise(head + wholeAnswer(mode) + done),
    expected: 'answer',
  },
  {
    name: 'cuts in chunks of one byte',
    steps: (mode) =>
      [
        chunkedHead +
          [...Buffer.from(wholeAnswer(mode) + done)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join(''),
        '0\r\n\r\n',
      ].map((text) => Buffer.from(text, 'latin1')),
    expected: 'answer',
  },
  {
    name: 'sends its usage apart, with no choices',
    steps: (mode) => [head, wholeAnswer(mode), usageChunk, done, 'END'],
    expected: 'answer',
  },
  { name: 'leaves out the index of a call', modes: ['native'], steps: oddCalls.indexMissing, expected: 'answer' },
  { name: 'sends the id of a call twice', modes: ['native'], steps: oddCalls.idTwice, expected: 'answer' },
  { name: 'sends the name of a call late', modes: ['native'], steps: oddCalls.nameLate, expected: 'answer' },
]
