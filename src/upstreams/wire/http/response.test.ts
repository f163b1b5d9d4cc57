import { expect, test } from 'vitest'
import { HttpFault } from './fault.ts'
import { ResponseReader } from './response.ts'

const ok = 'HTTP/1.1 200 OK\r\n'
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`

/** What is heard of a response that comes in pieces of this size, and then ends. */
function hear(wire: string, size: number, ends = false) {
  const heard = { status: 0, body: '', isOver: false }
  const reader = new ResponseReader({
    onHead: ({ status }) => {
      heard.status = status
    },
    onBody: (bytes) => {
      heard.body += bytes.toString('latin1')
    },
    onEnd: () => {
      heard.isOver = true
    },
  })
  const all = Buffer.from(wire, 'latin1')
  // As a connection does, in one place that every read writes over.
  const lent = Buffer.alloc(size)
  for (let at = 0; at < all.length; at += size) {
    const length = all.copy(lent, 0, at, at + size)
    reader.push(lent.subarray(0, length))
  }
  if (ends) reader.close()
  return { ...heard, isKept: reader.isKept, keptMs: reader.keptMs }
}

const sizes = [1, 2, 3, 7, 4096]

test.each<[string, string, { body?: string; isOver?: boolean; isKept?: boolean; status?: number; keptMs?: number }]>([
  ['so many bytes', `${ok}content-length: 5\r\n\r\nhello`, { body: 'hello', isKept: true }],
  ['no bytes', `${ok}content-length: 0\r\n\r\n`, { body: '', isKept: true }],
  ['fewer bytes than it promised', `${ok}content-length: 9\r\n\r\nhello`, { body: 'hello', isOver: false }],
  ['more bytes than it promised', `${ok}content-length: 5\r\n\r\nhello!`, { body: 'hello', isKept: false }],
  ['one chunk', `${chunked}5\r\nhello\r\n0\r\n\r\n`, { body: 'hello', isKept: true }],
  ['several chunks', `${chunked}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`, { body: 'hello', isKept: true }],
  ['a chunk of line ends', `${chunked}6\r\n\r\n0\r\n\r\r\n0\r\n\r\n`, { body: '\r\n0\r\n\r', isKept: true }],
  [
    'sizes in capitals, with noughts',
    `${chunked}000A\r\n0123456789\r\n0\r\n\r\n`,
    { body: '0123456789', isKept: true },
  ],
  ['extensions', `${chunked}5;a="b c"\r\nhello\r\n0;last\r\n\r\n`, { body: 'hello', isKept: true }],
  ['trailers', `${chunked}5\r\nhello\r\n0\r\nx-sum: 1\r\nx-two: 2\r\n\r\n`, { body: 'hello', isKept: true }],
  ['chunks without a last one', `${chunked}5\r\nhello\r\n`, { body: 'hello', isOver: false }],
  ['bytes after its last chunk', `${chunked}1\r\na\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n`, { body: 'a', isKept: false }],
  ['an empty 204', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, isKept: false }],
  [
    'a 304 that names a length',
    'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n',
    { status: 304, isKept: true },
  ],
  ['no reason', 'HTTP/1.1 200\r\ncontent-length: 1\r\n\r\na', { body: 'a', isKept: true }],
  [
    'a reason beyond ASCII',
    'HTTP/1.1 404 nicht gefunden \xfc\r\ncontent-length: 0\r\n\r\n',
    { status: 404, isKept: true },
  ],
  [
    'interim responses before it',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${ok}content-length: 1\r\n\r\na`,
    { body: 'a', isKept: true },
  ],
  ['a wish to close', `${ok}connection: x, Close\r\ncontent-length: 1\r\n\r\na`, { body: 'a', isKept: false }],
  ['an older protocol', 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\na', { body: 'a', isKept: false }],
  [
    'an older protocol that keeps',
    'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\na',
    { body: 'a', isKept: true },
  ],
  [
    'how long it keeps',
    `${ok}keep-alive: timeout=5, max=100\r\ncontent-length: 1\r\n\r\na`,
    { body: 'a', isKept: true, keptMs: 5000 },
  ],
])('a response with %s, however it is cut', (_, wire, { isOver = true, isKept = false, ...expected }) => {
  for (const size of sizes) expect(hear(wire, size)).toMatchObject({ isOver, isKept, ...expected })
})

test.each([1, 7, 4096])('a response without a length ends with its connection, in pieces of %i bytes', (size) => {
  expect(hear(`${ok}\r\nall of it`, size)).toMatchObject({ body: 'all of it', isOver: false })
  expect(hear(`${ok}\r\nall of it`, size, true)).toMatchObject({ body: 'all of it', isOver: true, isKept: false })
})

test.each([
  ['nothing', ''],
  ['half a head', 'HTTP/1.1 200 OK\r\ncont'],
  ['half a body', `${ok}content-length: 9\r\n\r\nhello`],
  ['half a chunk', `${chunked}9\r\nhello`],
  ['no last chunk', `${chunked}5\r\nhello\r\n`],
])('a connection that ends after %s is lost', (_, wire) => {
  for (const size of sizes) expect(() => hear(wire, size, true)).toThrow('the model server hung up')
})

test.each([
  ['no HTTP', '220 mail.example ESMTP\r\n'],
  ['no HTTP, and no line end', 'SSH-2.0-OpenSSH'],
  ['a version nobody knows', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['a status of two figures', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status that is none', 'HTTP/1.1 999 Odd\r\n\r\n'],
  ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n'],
  ['bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 1\n\na'],
  ['a bare line feed between fields', `${ok}a: b\ncontent-length: 1\r\n\r\na`],
  ['a bare return in a field', `${ok}a: b\rcontent-length: 1\r\n\r\na`],
  ['a line that goes on with the one before', `${ok}a: b\r\n c\r\ncontent-length: 1\r\n\r\na`],
  ['a first line that goes on', 'HTTP/1.1 200 OK\r\n folded: yes\r\n\r\n'],
  ['a field without a colon', `${ok}content-length 1\r\n\r\na`],
  ['a field without a name', `${ok}: 1\r\n\r\na`],
  ['a blank before the colon', `${ok}content-length : 1\r\n\r\na`],
  ['a control character in a field', `${ok}a: b\0c\r\n\r\n`],
  ['a length and chunks', `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['chunks and a length', `${ok}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${ok}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`],
  ['the same length twice', `${ok}content-length: 5\r\nContent-Length: 5\r\n\r\nhello`],
  ['a list of lengths', `${ok}content-length: 5, 5\r\n\r\nhello`],
  ['a length with a sign', `${ok}content-length: +5\r\n\r\nhello`],
  ['a length below nothing', `${ok}content-length: -1\r\n\r\n`],
  ['a length that is empty', `${ok}content-length:\r\n\r\n`],
  ['a length in hexadecimal', `${ok}content-length: 0x5\r\n\r\nhello`],
  ['a length beyond all numbers', `${ok}content-length: 99999999999999999999\r\n\r\n`],
  ['chunks twice over', `${ok}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
  [
    'chunks twice over, in two fields',
    `${ok}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['chunks that are compressed', `${ok}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['another transfer encoding', `${ok}transfer-encoding: identity\r\n\r\n`],
  ['a misspelt transfer encoding', `${ok}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['chunks in an older protocol', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a chunk size that is none', `${chunked}xyz\r\n`],
  ['a chunk size that is empty', `${chunked}\r\nhello\r\n`],
  ['a chunk size with a sign', `${chunked}+5\r\nhello\r\n`],
  ['a chunk size below nothing', `${chunked}-5\r\nhello\r\n`],
  ['a chunk size with a prefix', `${chunked}0x5\r\nhello\r\n`],
  ['a blank before a chunk size', `${chunked} 5\r\nhello\r\n`],
  ['a blank after a chunk size', `${chunked}5 \r\nhello\r\n`],
  ['a chunk size beyond all numbers', `${chunked}ffffffffffffffff\r\n`],
  ['a chunk size that ends with a line feed', `${chunked}5\nhello\r\n`],
  ['a chunk size with a return and no line feed', `${chunked}5\rhello\r\n`],
  ['a chunk longer than its size', `${chunked}5\r\nhello!\r\n`],
  ['a chunk that ends with a line feed', `${chunked}5\r\nhello\n0\r\n\r\n`],
  ['an extension with a line feed', `${chunked}5;a\nb\r\nhello\r\n`],
  ['an extension without end', `${chunked}5;${'a'.repeat(5000)}`],
  ['a trailer that is no field', `${chunked}0\r\nodd\r\n\r\n`],
  ['trailers without end', `${chunked}0\r\n${'a: b\r\n'.repeat(4000)}`],
  ['a head without end', `${ok}${'a: b\r\n'.repeat(4000)}`],
  ['a line without end', `${ok}a: ${'b'.repeat(20_000)}`],
  ['interim responses without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)],
])('%s is no response, however it is cut', (_, wire) => {
  for (const size of sizes) expect(() => hear(wire, size)).toThrow(HttpFault)
})
