export { PasswordNeeds } from "./PasswordNeeds.tsx";
