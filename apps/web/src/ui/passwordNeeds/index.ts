export { NewPasswordField } from "./NewPasswordField.tsx";
