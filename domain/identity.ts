/** The name of the service wherever a machine reads it: a rename touches this file and package.json. */
export const SERVICE_NAME = 'svc'
export const SERVICE_VERSION = '0.1.0'
export const ENVIRONMENT_PREFIX = 'SVC_'
export const TOKEN_PREFIX = 'svc_pat_'
