import type { Forms } from '../context.ts'
import { readPseudo } from './pseudo.ts'
import { readKeywords } from './pythonic.ts'
import { readChildren, readTaggedForm } from './tagged-form.ts'
import { readYamlBody } from './yaml-body.ts'

/** Every form there is: what any dialect may need. */
export const allForms: Forms = {
  keywords: readKeywords,
  pseudo: readPseudo,
  tagged: readTaggedForm,
  children: readChildren,
  yaml: readYamlBody,
}
