export {
  type GrantedRules,
  type ListedGroup,
  accessGroups,
  groupSortFields,
  holdsAll,
} from "./accessGroups.ts";
export { type AuditAction, auditActions, auditTitle } from "./auditActions.ts";
export { type LogRow, auditLog } from "./auditLog.ts";
export { auth, personalDataVersion } from "./auth.ts";
export { type Challenge, captcha, workPrefix } from "./captcha.ts";
export {
  type BranchFields,
  type CompanyFields,
  type CompanyInTree,
  type CompanyState,
  companies,
  companySortFields,
  companyStates,
  endingDays,
} from "./companies.ts";
export { type Company, type PeakHours, type PeakRange, currentCompany, dividedGapDays } from "./company.ts";
export { type Consumer, type ConsumerExport, consumerSortFields, consumers, subjects } from "./consumers.ts";
export { type LicenceInfo, type LicenceState, licence, licenceStates } from "./licence.ts";
export { Email, type MemberChange, type NewMember, members, userSessions } from "./members.ts";
export {
  type PartyPoint,
  partyBounds,
  subjectOrganisation,
  subjectPerson,
  subjectTypes,
} from "./partyFields.ts";
export {
  type PasswordNeed,
  longestPassword,
  passwordNeeds,
  passwordSigns,
  shortestPassword,
  unmetPasswordNeeds,
} from "./passwords.ts";
export {
  type ApiToken,
  type OwnSession,
  ProfileChange,
  longestTokenDays,
  memberTwoFactor,
  mostTokens,
  ownSessions,
  profile,
  twoFactor,
} from "./profile.ts";
export { PasswordReset, Signup, registration } from "./registration.ts";
export {
  type CompanyService,
  type Service,
  type ServiceLogRow,
  serviceMessages,
  services,
} from "./services.ts";
export { singleSignOn } from "./singleSignOn.ts";
export { type Supplier, supplierSortFields, suppliers } from "./suppliers.ts";
export {
  AccessGroup,
  AccessRecord,
  AccessRules,
  type Member,
  Module,
  type User,
  userSortFields,
  users,
} from "./users.ts";
