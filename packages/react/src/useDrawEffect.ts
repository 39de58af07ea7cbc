import { useEffect, useLayoutEffect } from 'react'

/** An effect before the browser draws. A server draws nothing, and React 18 complains there of an effect that will not run. */
export const useDrawEffect: typeof useLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect
