{{- define "dragoman.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "dragoman.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "dragoman.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "dragoman.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "dragoman.secretName" -}}
{{- default (include "dragoman.fullname" .) .Values.existingSecret -}}
{{- end -}}

{{/* dragoman.yaml: what the values say, and what only the chart knows. */}}
{{- define "dragoman.config" -}}
{{- $drain := dict "drain_delay" (printf "%ds" (int .Values.drain.delaySeconds)) "drain" (printf "%ds" (int .Values.drain.answersSeconds)) -}}
{{- $own := dict "listen" "0.0.0.0:8484" "timeouts" $drain -}}
{{- if .Values.redis.enabled -}}
{{- $_ := set $own "sessions" (dict "store" (printf "redis://%s-redis:6379" (include "dragoman.fullname" .))) -}}
{{- end -}}
{{- mergeOverwrite (deepCopy .Values.config) $own | toYaml -}}
{{- end -}}
