import { mountPanel } from '../../panel/src/index.ts'
import { createUnderstudy } from '../../src/index.ts'
import { company } from './company.ts'

/** A page of somebody's own, whose styles would spoil every button, with the panel in its corner. */
const styles = new CSSStyleSheet()
styles.replaceSync(
  '* { font: 40px serif !important; color: red !important } button { display: none !important }',
)
document.adoptedStyleSheets = [styles]
document.title = 'An application'
document.documentElement.lang = 'en'
const main = document.createElement('main')
main.innerHTML = '<h1>Pipelines</h1><input aria-label="Search">'
document.body.append(main)
const understudy = createUnderstudy({ fixture: company })
understudy.faults.add({ operation: 'listPipelines', times: 1, error: { code: 500 } })
mountPanel(understudy)
Object.assign(window, { readStatus: (path: string) => understudy.fetch(path).then((reply) => reply.status) })
