import { actButton, element, onSubmit, show } from '../screen.js'

const REMEMBERED = 'tillhook-apps'
/** As many as fit without scrolling. */
const MOST = 4

/** What is on this terminal: the apps that were opened before, and a box for another. */
export function homeScreen({ given, onOpen }) {
  const screen = show('home')
  const known = rememberedApps()
  const buttons = known.map(name => element('li', {}, actButton(name, { onPress: () => onOpen(name) })))
  screen.querySelector('[data-apps]').append(...buttons)
  const form = screen.querySelector('form')
  if (given.packageName && !known.includes(given.packageName)) form.elements.packageName.value = given.packageName
  onSubmit(form, async ({ packageName }) => onOpen(packageName.trim()))
}

/** After the service has known it. */
export function rememberApp(packageName) {
  const others = rememberedApps().filter(name => name !== packageName)
  localStorage.setItem(REMEMBERED, JSON.stringify([packageName, ...others].slice(0, MOST)))
}

function rememberedApps() {
  return JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]')
}
