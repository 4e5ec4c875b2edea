import type { Job } from '../run/jobs/job.js'
import { jobArguments, PASSING } from './place.js'

/** The user of the image (`Dockerfile`): `node` of the official image. */
const USER = 1000

/** Where the image has its home. */
const HOME = '/data'

/**
 * The volume of the home and a CronJob for every job, which use the image of `Dockerfile`.
 *
 * @param image its name in the registry that the cluster reads
 */
export function kubernetesManifests(jobs: readonly Job[], image: string): string {
  return [howToInstall(image), VOLUME, ...jobs.map((job) => cronJob(job, image))].join('---\n')
}

function howToInstall(image: string): string {
  return `# A volume for the home and one CronJob per job. Before they are applied:
#
#   docker build --tag ${image} .    # in the folder of candlehouse; then push it to the registry of the cluster
#   kubectl create secret generic candlehouse --from-env-file=.env
#
# The secret has BROKER_BASE_URL, BROKER_API_KEY, BROKER_API_SECRET and every other setting that is not the default.
# Without it no job starts: it would run against the embedded sandbox.
`
}

const VOLUME = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: candlehouse
spec:
  # All jobs write to one home, one after another: the volume is on one node at a time.
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 100Gi
`

function cronJob(job: Job, image: string): string {
  return `# ${job.about}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: candlehouse-${job.name}
spec:
  schedule: ${JSON.stringify(job.schedule)}
  timeZone: ${job.zone}
  concurrencyPolicy: Forbid
  # After downtime one run catches up on what was missed.
  startingDeadlineSeconds: 86400
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 10
  jobTemplate:
    spec:
      # An outage of the service and another run at work pass: the job is tried again. Any other failure stays one.
      backoffLimit: 6
      podFailurePolicy:
        rules:
          - action: FailJob
            onExitCodes:
              operator: NotIn
              values: ${JSON.stringify(PASSING)}
      template:
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          terminationGracePeriodSeconds: 10
          securityContext:
            runAsNonRoot: true
            runAsUser: ${USER}
            runAsGroup: ${USER}
            fsGroup: ${USER}
            fsGroupChangePolicy: OnRootMismatch
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: candlehouse
              image: ${JSON.stringify(image)}
              args: ${JSON.stringify(jobArguments(job))}
              envFrom:
                - secretRef:
                    name: candlehouse
              resources:
                requests:
                  cpu: "1"
                  memory: 2Gi
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop: [ALL]
              volumeMounts:
                - name: home
                  mountPath: ${HOME}
                - name: tmp
                  mountPath: /tmp
          volumes:
            - name: home
              persistentVolumeClaim:
                claimName: candlehouse
            - name: tmp
              emptyDir: {}
`
}
