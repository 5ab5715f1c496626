import { element, field } from './element.ts'

/** Form for the control token, which an emulator requires that can be reached from other machines. */
export function tokenForm(enter: (token: string) => void): HTMLElement {
  const input = element('input', { type: 'password', required: true, autocomplete: 'off' })
  return element(
    'main',
    { class: 'token' },
    element('h1', {}, 'Cosmos DB emulator'),
    element(
      'p',
      { class: 'lead' },
      'Other machines can reach this emulator, so its explorer requires the control token. The emulator prints it at the start.'
    ),
    element(
      'form',
      {
        class: 'row',
        submit: (event: Event) => {
          event.preventDefault()
          enter(input.value.trim())
        }
      },
      field('Control token', input),
      element('button', { class: 'primary' }, 'Open')
    )
  )
}
