export { Idiomorph } from 'idiomorph'
