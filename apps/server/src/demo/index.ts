export { seedDemo, startDemoPark } from "./demo.ts";
export { companyOf, registerScalePark, removeScalePark } from "./scalePark.ts";
