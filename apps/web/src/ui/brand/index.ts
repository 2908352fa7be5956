export { BrandMark } from "./Brand.tsx";
