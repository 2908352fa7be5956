export { Button, buttonClass, IconButton, type ButtonKind, type ButtonProps } from "./Button.tsx";
