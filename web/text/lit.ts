import { signal } from '@preact/signals'

const call = signal<number | undefined>(undefined)

/** The call under the pointer, by its place in the answer: it is lit in every pane. */
export const lit = {
  call,
  enter(index: number): void {
    call.value = index
  },
  leave(): void {
    call.value = undefined
  },
}
