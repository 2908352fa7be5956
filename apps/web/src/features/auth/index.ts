export { loadSiteOffer, plainOffer, type SiteOffer } from "./siteOffer.ts";
