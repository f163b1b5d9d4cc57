import { showAlone } from './app/alone.tsx'
import { draft } from './playground/draft.ts'
import { play } from './playground/play.ts'
import { Playground } from './playground/playground.tsx'
import { createRehearsedStage } from './playground/rehearsed-stage.ts'
import { stage } from './playground/stage.ts'
import './style/style.css'

/** The playground as a page of its own: the gateway's own code answers, in the browser. */
const rehearsed = createRehearsedStage()
stage.value = rehearsed
showAlone({
  here: 'Playground',
  words: '“rehearsal” is a scripted stand-in. For real models, run dragoman and open /inspector.',
  children: <Playground />,
})
// Something to see before anything is pressed.
void rehearsed.models({}).then(([model]) => {
  draft.model.value = model?.id ?? ''
  return play()
})
