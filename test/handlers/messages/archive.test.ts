import { testRoleMoves } from '../../support/role-moves.ts'

testRoleMoves({ method: 'POST', suffix: '/archive', role: 'archive', name: 'Archive' })
