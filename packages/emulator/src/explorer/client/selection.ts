import type { ContainerName } from './request.ts'

/** The chosen view, and the container if the view belongs to one; the address has both after the `#`. */
export interface Selection {
  readonly view: ViewName
  readonly container: ContainerName | undefined
}

const CONTAINER_VIEWS = ['load', 'items', 'query'] as const
const EMULATOR_VIEWS = ['faults', 'controls', 'new'] as const

type ViewName = (typeof CONTAINER_VIEWS)[number] | (typeof EMULATOR_VIEWS)[number]

/** Reads the selection from the part of an address after the `#`. */
export function readSelection(hash: string): Selection {
  const [name = '', database = '', container = ''] = hash.replace(/^#/, '').split('/').map(decoded)
  const emulatorView = EMULATOR_VIEWS.find((each) => each === name)
  if (emulatorView !== undefined) return { view: emulatorView, container: undefined }
  const view = CONTAINER_VIEWS.find((each) => each === name) ?? 'load'
  return { view, container: database === '' || container === '' ? undefined : { database, container } }
}

/** The address of a selection. */
export function hrefOf({ view, container }: Selection): string {
  if (container === undefined) return `#${view}`
  return `#${view}/${encodeURIComponent(container.database)}/${encodeURIComponent(container.container)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
