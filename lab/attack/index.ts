import { company } from '../../tests/support/company.ts'
import { adminAttacks } from './admin.ts'
import { commandAttacks } from './commands.ts'
import { faultAttacks } from './faults.ts'
import { requestAttacks } from './requests.ts'
import { socketAttacks } from './sockets.ts'
import { valueAttacks } from './values.ts'
import { workAttacks } from './work.ts'

export { createTarget } from './target.ts'
export { company as fixture }

/** The table of attacks, each on its own server. */
export const attacks = [
  ...faultAttacks,
  ...socketAttacks,
  ...valueAttacks,
  ...workAttacks,
  ...adminAttacks,
  ...requestAttacks,
  ...commandAttacks,
]
