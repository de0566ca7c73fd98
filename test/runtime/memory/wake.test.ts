import { memoryWake } from '../../../runtime/memory/wake.ts'
import { wakeSuite } from '../suites/wake.ts'

wakeSuite(async () => {
  const wake = memoryWake()
  return { waker: wake, waiter: wake }
})
