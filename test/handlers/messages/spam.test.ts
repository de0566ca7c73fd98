import { testRoleMoves } from '../../support/role-moves.ts'

testRoleMoves({ method: 'POST', suffix: '/spam', role: 'spam', name: 'Junk' })
