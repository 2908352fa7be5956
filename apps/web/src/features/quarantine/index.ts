/** Loaded after the page: few devices have readings in quarantine. */
export const loadQuarantineNotice = () => import("./QuarantineNotice.tsx");
