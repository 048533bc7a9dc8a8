'use client'

import { type ReactNode, useEffect, useState } from 'react'

const isMocked = process.env.NEXT_PUBLIC_UNDERSTUDY === 'on'

/** Shows its children once what they ask for is answered in this page. */
export function Mocked({ children }: { children: ReactNode }) {
  const [isReady, setReady] = useState(!isMocked)
  useEffect(() => {
    if (isMocked)
      void import('../../mocks/browser').then(({ startMocking }) => startMocking()).then(() => setReady(true))
  }, [])
  return isReady ? children : null
}
