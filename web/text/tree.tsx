import { useSignal } from '@preact/signals'
import { counted } from '../text/words.ts'
import { Visible } from './payload.tsx'

interface TreeProps {
  readonly value: unknown
  readonly name?: string | undefined
  /** So many levels are open at first. */
  readonly open?: number
}

/** A JSON value to fold and unfold. What is folded is not on the page. */
export function Tree({ value, name, open = 1 }: TreeProps) {
  if (typeof value !== 'object' || value === null) return <Leaf value={value} name={name} />
  return <Branch value={value} name={name} open={open} />
}

/** Long lists are shown in parts. */
const part = 200

function Branch({
  value,
  name,
  open,
}: {
  readonly value: object
  readonly name: string | undefined
  readonly open: number
}) {
  const isOpen = useSignal(open > 0)
  const shown = useSignal(part)
  const isList = Array.isArray(value)
  const members = Object.entries(value)
  if (members.length === 0) return <Line name={name}>{isList ? '[]' : '{}'}</Line>
  const [before, after] = isList ? ['[', ']'] : ['{', '}']
  const size = isList ? counted(members.length, 'item') : counted(members.length, 'member')
  return (
    <details class="tree" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        {name !== undefined && <span class="tree-key">{name}: </span>}
        {isOpen.value ? before : `${before}…${after}`} <span class="muted small">{isOpen.value ? '' : size}</span>
      </summary>
      {isOpen.value && (
        <div class="tree-members">
          {members.slice(0, shown.value).map(([key, member]) => (
            <Tree key={key} name={isList ? undefined : key} value={member} open={open - 1} />
          ))}
          {members.length > shown.value && (
            <button type="button" class="fold" onClick={() => (shown.value += part * 5)}>
              {counted(members.length - shown.value, 'more item')}
            </button>
          )}
        </div>
      )}
      {isOpen.value && <div>{after}</div>}
    </details>
  )
}

const longText = 600

function Leaf({ value, name }: { readonly value: unknown; readonly name: string | undefined }) {
  const isWhole = useSignal(false)
  if (typeof value !== 'string')
    return (
      <Line name={name}>
        <span class="tree-literal">{String(value)}</span>
      </Line>
    )
  const isCut = value.length > longText && !isWhole.value
  return (
    <Line name={name}>
      <span class="tree-string">
        <Visible text={JSON.stringify(isCut ? value.slice(0, longText) : value)} />
      </span>
      {isCut && (
        <button type="button" class="fold" onClick={() => (isWhole.value = true)}>
          {counted(value.length - longText, 'more character')}
        </button>
      )}
    </Line>
  )
}

function Line({ name, children }: { readonly name: string | undefined; readonly children: preact.ComponentChildren }) {
  return (
    <div class="tree-line">
      {name !== undefined && <span class="tree-key">{name}: </span>}
      {children}
    </div>
  )
}
