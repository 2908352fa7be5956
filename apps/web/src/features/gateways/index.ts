export { CarrierBulk } from "./CarrierBulk.tsx";
