import { showAlone } from './app/alone.tsx'
import { Reader } from './reader/reader.tsx'
import './style/style.css'

/** The reader as a page of its own: everything happens in the browser. */
showAlone({
  here: 'Reader',
  words: "See which parts of a model's output are tool calls, and why",
  children: <Reader />,
})
