export { barePicture } from "./bare.ts";
export { pictureOf, type Picture } from "./picture.ts";
