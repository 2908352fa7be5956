/** Comes after the page: few devices have anything to tell. */
export const loadQuarantineNotice = () => import("./QuarantineNotice.tsx");
