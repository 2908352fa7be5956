export type { CaptchaAnswer } from "./CaptchaQuestion.tsx";
export const loadCaptchaQuestion = () => import("./CaptchaQuestion.tsx");
export { loadSiteOffer, plainOffer, type SiteOffer } from "./siteOffer.ts";
