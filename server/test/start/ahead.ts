/** How far a program's clock is before the real one; below 0, behind it. */
export const AHEAD_MS = 'TILLHOOK_TEST_AHEAD_MS'
