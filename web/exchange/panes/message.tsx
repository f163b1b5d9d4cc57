import { prettyJson } from '../../text/json.ts'
import { Payload } from '../../text/payload.tsx'
import type { Mark } from '../../text/runs.ts'
import { Tree } from '../../text/tree.tsx'
import { counted, inDigits } from '../../text/words.ts'
import { isLitTool } from '../calls/lit-tool.ts'
import type { BlockCall, OfferedTool } from './blocks.ts'

interface MessageProps {
  readonly from: string
  readonly turn: number
  readonly text: string
  readonly marks?: readonly Mark[]
  readonly calls?: readonly BlockCall[]
  readonly about?: string | undefined
}

/** One message of a conversation, as asked or as sent. */
export function MessageView({ from: role, turn, text, marks, calls = [], about }: MessageProps) {
  return (
    <article class={`message ${role}`} data-turn={turn}>
      <h3 class="message-head">
        <span class="role">{role}</span>
        {about !== undefined && about !== '' && <span class="muted small">{about}</span>}
      </h3>
      {text !== '' && <Payload text={text} marks={marks ?? []} />}
      {calls.map((call, i) => (
        <div class="past-call" key={i}>
          <span class="call-name">{call.name}</span> <span class="muted small">{call.id}</span>
          <Payload text={prettyJson(call.arguments)} />
        </div>
      ))}
      {text === '' && calls.length === 0 && <p class="muted small empty-text">(empty)</p>}
    </article>
  )
}

/** The tools of a request, folded: there are often many. */
export function Tools({ tools }: { readonly tools: readonly OfferedTool[] }) {
  if (tools.length === 0) return null
  return (
    <details class="tools" open={tools.length <= 3}>
      <summary>
        {counted(tools.length, 'tool')}, about {inDigits(tools.reduce((sum, { tokens }) => sum + tokens, 0))} tokens
      </summary>
      <ul>
        {tools.map((tool) => (
          <li key={tool.name} class={isLitTool(tool.name) ? 'lit' : undefined}>
            <details>
              <summary>
                <span class="call-name">{tool.name}</span> <span class="muted small">{inDigits(tool.tokens)}</span>{' '}
                <span class="muted small clip">{tool.description}</span>
              </summary>
              {tool.description !== '' && <p class="tool-words">{tool.description}</p>}
              <div class="mono">
                <Tree value={tool.value} open={3} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </details>
  )
}
