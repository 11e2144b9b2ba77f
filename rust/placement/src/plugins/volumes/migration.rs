//! In-tree volumes count as volumes of the CSI driver that took them over.

use crate::api::{PersistentVolume, Volume};

/// Driver and handle of an in-tree or CSI persistent volume.
pub(super) fn of_volume(volume: &PersistentVolume, migrates: bool) -> Option<(String, String)> {
    if let Some(csi) = &volume.spec.csi {
        return Some((csi.driver.clone(), csi.volume_handle.clone()));
    }
    let disk = volume
        .spec
        .aws_elastic_block_store
        .as_ref()
        .filter(|_| migrates)?;
    Some((EBS.to_owned(), ebs_handle(&disk.volume_id)))
}

/// Driver and handle of a disk that the pod itself names.
pub(super) fn of_inline(volume: &Volume, migrates: bool) -> Option<(String, String)> {
    if !migrates {
        return None;
    }
    if let Some(disk) = &volume.aws_elastic_block_store {
        return Some((EBS.to_owned(), ebs_handle(&disk.volume_id)));
    }
    let disk = volume.gce_persistent_disk.as_ref()?;
    Some((
        GCE.to_owned(),
        format!(
            "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/{}",
            disk.pd_name
        ),
    ))
}

pub(super) fn is_inline(volume: &Volume) -> bool {
    volume.aws_elastic_block_store.is_some() || volume.gce_persistent_disk.is_some()
}

/// The driver that provisions for a class; None when an in-tree provisioner has not been taken over on the node.
pub(super) fn of_provisioner(provisioner: &str, migrates: bool) -> Option<&str> {
    match provisioner {
        "kubernetes.io/aws-ebs" => migrates.then_some(EBS),
        "kubernetes.io/gce-pd" => migrates.then_some(GCE),
        other => Some(other),
    }
}

const EBS: &str = "ebs.csi.aws.com";
const GCE: &str = "pd.csi.storage.gke.io";

/// `aws://zone/vol-1` and `vol-1` name the same disk.
fn ebs_handle(id: &str) -> String {
    id.rsplit('/').next().unwrap_or(id).to_owned()
}
