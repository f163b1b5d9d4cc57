import { useEffect } from 'preact/hooks'
import { gatewayStage, playedId } from './gateway-stage.ts'
import { open, opened } from './play.ts'
import { Playground } from './playground.tsx'
import { stage } from './stage.ts'

stage.value = gatewayStage

/** The playground as a part of the inspector: what it asked is opened among the exchanges. */
export function PlaygroundAtGateway() {
  const id = playedId.value
  useEffect(() => {
    if (id !== undefined && opened.peek()?.id !== id) void open(id)
  }, [id])
  return <Playground />
}
