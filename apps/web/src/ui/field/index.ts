export { AccountName } from "./AccountName.tsx";
export { Checkbox, Segmented, SelectField, Switch, type Option } from "./choices.tsx";
export { CodeField, codeOf } from "./CodeField.tsx";
export { Field, type FieldTexts } from "./Field.tsx";
export { NumberField } from "./NumberField.tsx";
export { PasswordField, TextField, type PasswordFieldProps, type TextFieldProps } from "./TextField.tsx";
