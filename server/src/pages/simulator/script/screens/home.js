import { actButton, element, onSubmit, show } from '../screen.js'

const REMEMBERED = 'tillhook-apps'
/** As many as fit without scrolling. */
const MOST = 4

/** What is on this terminal: the apps that were opened before, and a box for another. `faceOf` asks what an app looks like. */
export function homeScreen({ given, faceOf, onOpen }) {
  const screen = show('home')
  const known = rememberedApps()
  screen.querySelector('[data-apps]').append(...known.map(name => element('li', {}, appButton(name))))
  const form = screen.querySelector('form')
  if (given.packageName && !known.includes(given.packageName)) form.elements.packageName.value = given.packageName
  onSubmit(form, async ({ packageName }) => onOpen(packageName.trim()))

  function appButton(packageName) {
    const button = actButton('', { onPress: () => onOpen(packageName) })
    draw(button, { name: packageName })
    // Until it is known, and where it cannot be, the package name does.
    faceOf(packageName).then(({ status, body }) => status === 200 && draw(button, body))
    return button
  }
}

function draw(button, { name, packageName, icon }) {
  const words = element('span', {}, element('span', { textContent: name }))
  if (packageName) words.append(element('span', { className: 'fine', textContent: packageName }))
  button.replaceChildren(pictureOf({ name, icon }), words)
}

/** Its own, by its address on this server; else its first letter. */
function pictureOf({ name, icon }) {
  if (!icon) return element('span', { className: 'app-icon', textContent: name[0].toUpperCase(), ariaHidden: 'true' })
  const { pathname, search } = new URL(icon.url)
  return element('img', { className: 'app-icon', src: pathname + search, alt: '', width: 40, height: 40 })
}

/** After the service has known it. */
export function rememberApp(packageName) {
  const others = rememberedApps().filter(name => name !== packageName)
  localStorage.setItem(REMEMBERED, JSON.stringify([packageName, ...others].slice(0, MOST)))
}

function rememberedApps() {
  return JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]')
}
