import type { Exchange } from '../../../src/traces/exchange.ts'
import { parsed } from '../../text/json.ts'
import { Payload } from '../../text/payload.tsx'
import { inLength } from '../../text/words.ts'
import { blocksOf, settingsOf, toolsOf } from './blocks.ts'
import { MessageView, Tools } from './message.tsx'
import { Absent, Truncated } from './states.tsx'

/** What the client asked, by whichever API. */
export function AskedView({ exchange }: { readonly exchange: Exchange }) {
  const { asked } = exchange
  const body = asked.body === undefined ? undefined : parsed(asked.body.text)
  return (
    <>
      <details class="headers">
        <summary>
          <code>
            {asked.method}{' '}
            {asked.url.split(/(?<=\/)/).map((part, i) => (
              <span key={i}>
                {part}
                <wbr />
              </span>
            ))}
          </code>
        </summary>
        <dl class="header-list">
          {asked.headers.map(({ name, value }, i) => (
            <div key={i}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {asked.body === undefined ? (
        <Absent hasBodies={exchange.hasBodies}>{missing(exchange)}</Absent>
      ) : body === undefined ? (
        <>
          <Payload text={asked.body.text} />
          <Truncated payload={asked.body} />
        </>
      ) : (
        <Conversation body={body} />
      )}
    </>
  )
}

function missing({ asked, state }: Exchange): string {
  const announced = asked.headers.find(({ name }) => name === 'content-length' || name === 'transfer-encoding')?.value
  if (announced === undefined || announced === '0') return 'The request had no body.'
  return state === 'open' ? 'The body is on its way.' : 'The body was not read to its end, so it is not kept.'
}

function Conversation({ body }: { readonly body: unknown }) {
  const blocks = blocksOf(body)
  const names = new Map(blocks.flatMap(({ calls }) => calls.map(({ id, name }) => [id, name])))
  return (
    <>
      <dl class="settings">
        {settingsOf(body).map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{shorten(JSON.stringify(value))}</dd>
          </div>
        ))}
      </dl>
      <Tools tools={toolsOf(body)} />
      {blocks.map(({ role, turn, text, calls, callId }, i) => (
        <MessageView
          key={i}
          from={role}
          {...{ turn, text, calls }}
          about={callId === undefined ? sizeOf(text) : (names.get(callId) ?? callId)}
        />
      ))}
    </>
  )
}

export function sizeOf(text: string): string {
  return text.length < 1_000 ? '' : inLength(text.length)
}

function shorten(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`
}
