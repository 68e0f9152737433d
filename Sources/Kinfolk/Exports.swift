// `import Kinfolk` gives everything that the targets below make public.
@_exported public import KinfolkAccess
@_exported public import KinfolkAccounts
@_exported public import KinfolkContacts
@_exported public import KinfolkCore
@_exported public import KinfolkDiscovery
@_exported public import KinfolkDocuments
@_exported public import KinfolkKeyValue
@_exported public import KinfolkModel
@_exported public import KinfolkPrivateClient
@_exported public import KinfolkRecords
@_exported public import KinfolkSubscriptions
