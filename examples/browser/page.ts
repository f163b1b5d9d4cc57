/** Reads the answer of a model while it streams into the page. One dialect is in the bundle, and no other. */
import { createReaderStream } from 'dragoman/core'
import { hermes } from 'dragoman/dialects/hermes'

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
] as const

function show(kind: string, text: string): void {
  const last = document.body.lastElementChild
  const element = last?.className === kind ? last : document.body.appendChild(document.createElement('p'))
  element.className = kind
  element.textContent += text
}

const { body } = await fetch('answer.txt')
const events = (body ?? new ReadableStream())
  .pipeThrough(new TextDecoderStream())
  .pipeThrough(createReaderStream({ tools, dialect: hermes }))
  .getReader()

for (let read = await events.read(); !read.done; read = await events.read()) {
  const event = read.value
  if (event.type === 'text-delta') show('text', event.text)
  if (event.type === 'call-start') show('call', `${event.name} `)
  if (event.type === 'call-delta') show('call', event.json)
  if (event.type === 'finish') show('finish', event.reason)
}
